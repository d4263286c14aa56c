// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"fmt"
	"sort"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// listener turns ANTLR's reports into problems. Until collect is set, it ends the parse at the
// first one.
type listener struct {
	antlr.DefaultErrorListener
	view     *view
	collect  bool
	problems problems
}

// SyntaxError is called by the parser for each error it recovers from.
func (l *listener) SyntaxError(rec antlr.Recognizer, sym any, line, col int, _ string, e antlr.RecognitionException) {
	if !l.collect {
		panic(bail{})
	}
	p := rec.(antlr.Parser)
	found := p.GetCurrentToken()
	if t, ok := sym.(antlr.Token); ok {
		found = t
	}
	msg := "found " + tokenText(found)
	if start := p.GetCurrentToken(); start != found {
		// The parser looked ahead from start and gave up at found.
		msg += fmt.Sprintf(", which continues nothing that starts with %s on line %d", tokenText(start), start.GetLine())
	} else if want := expected(p.GetExpectedTokens()); want != "" {
		msg += ", expected " + want
	}
	l.problems.add(l.view.pos(found), msg)
	if l.problems.more {
		panic(bail{&l.problems.list[len(l.problems.list)-1]})
	}
}

func tokenText(t antlr.Token) string {
	if t.GetTokenType() == antlr.TokenEOF {
		return "the end of the file"
	}
	return quote(t.GetText())
}

// classes name sets of tokens that messages describe in one word. A class is used if all of its key
// tokens are expected.
var classes = []struct {
	name string
	keys []int
	all  []int
}{
	{"a module item", []int{grammar.NicgenSVParserALWAYS_FF, grammar.NicgenSVParserASSIGN}, moduleItemTokens},
	{"a package item", []int{grammar.NicgenSVParserFUNCTION, grammar.NicgenSVParserTYPEDEF, grammar.NicgenSVParserLOCALPARAM}, moduleItemTokens},
	{"a statement", []int{grammar.NicgenSVParserIF, grammar.NicgenSVParserFOREVER, grammar.NicgenSVParserINC}, statementTokens},
	{"an expression", []int{grammar.NicgenSVParserDECIMAL, grammar.NicgenSVParserTILDE, grammar.NicgenSVParserIDENT}, expressionTokens},
	{"a signal", []int{grammar.NicgenSVParserIDENT, grammar.NicgenSVParserSYSTEM_ID, grammar.NicgenSVParserLBRACE}, expressionTokens},
	{"a type", []int{grammar.NicgenSVParserLOGIC, grammar.NicgenSVParserINT}, typeTokens},
	{"an operator", []int{grammar.NicgenSVParserPLUS, grammar.NicgenSVParserPOW, grammar.NicgenSVParserPIPE}, operatorTokens},
	{"a name", []int{grammar.NicgenSVParserIDENT}, []int{grammar.NicgenSVParserIDENT, grammar.NicgenSVParserESCAPED_IDENT}},
}

var (
	typeTokens = []int{grammar.NicgenSVParserBIT, grammar.NicgenSVParserLOGIC, grammar.NicgenSVParserREG,
		grammar.NicgenSVParserBYTE, grammar.NicgenSVParserSHORTINT, grammar.NicgenSVParserINT,
		grammar.NicgenSVParserLONGINT, grammar.NicgenSVParserINTEGER, grammar.NicgenSVParserTIME_KW,
		grammar.NicgenSVParserSTRING_KW, grammar.NicgenSVParserREAL_KW, grammar.NicgenSVParserREALTIME,
		grammar.NicgenSVParserSHORTREAL, grammar.NicgenSVParserEVENT, grammar.NicgenSVParserCHANDLE,
		grammar.NicgenSVParserSTRUCT, grammar.NicgenSVParserUNION, grammar.NicgenSVParserENUM,
		grammar.NicgenSVParserTYPE, grammar.NicgenSVParserSIGNED, grammar.NicgenSVParserUNSIGNED,
		grammar.NicgenSVParserDOLLAR_UNIT}
	expressionTokens = append([]int{grammar.NicgenSVParserIDENT, grammar.NicgenSVParserESCAPED_IDENT,
		grammar.NicgenSVParserDECIMAL, grammar.NicgenSVParserBASED, grammar.NicgenSVParserUNBASED,
		grammar.NicgenSVParserREAL, grammar.NicgenSVParserTIME, grammar.NicgenSVParserSTRING,
		grammar.NicgenSVParserNULL, grammar.NicgenSVParserDOLLAR, grammar.NicgenSVParserSYSTEM_ID,
		grammar.NicgenSVParserLPAREN, grammar.NicgenSVParserLBRACE, grammar.NicgenSVParserAPOS,
		grammar.NicgenSVParserPLUS, grammar.NicgenSVParserMINUS, grammar.NicgenSVParserBANG,
		grammar.NicgenSVParserTILDE, grammar.NicgenSVParserAMP, grammar.NicgenSVParserNAND,
		grammar.NicgenSVParserPIPE, grammar.NicgenSVParserNOR, grammar.NicgenSVParserCARET,
		grammar.NicgenSVParserXNOR, grammar.NicgenSVParserCONST}, typeTokens...)
	operatorTokens = []int{grammar.NicgenSVParserPOW, grammar.NicgenSVParserSTAR, grammar.NicgenSVParserSLASH,
		grammar.NicgenSVParserPERCENT, grammar.NicgenSVParserPLUS, grammar.NicgenSVParserMINUS,
		grammar.NicgenSVParserSHL, grammar.NicgenSVParserSHR, grammar.NicgenSVParserASHL,
		grammar.NicgenSVParserASHR, grammar.NicgenSVParserLT, grammar.NicgenSVParserLE,
		grammar.NicgenSVParserGT, grammar.NicgenSVParserGE, grammar.NicgenSVParserINSIDE,
		grammar.NicgenSVParserEQ, grammar.NicgenSVParserNE, grammar.NicgenSVParserCASE_EQ,
		grammar.NicgenSVParserCASE_NE, grammar.NicgenSVParserWILD_EQ, grammar.NicgenSVParserWILD_NE,
		grammar.NicgenSVParserAMP, grammar.NicgenSVParserCARET, grammar.NicgenSVParserXNOR,
		grammar.NicgenSVParserPIPE, grammar.NicgenSVParserAND2, grammar.NicgenSVParserOR2,
		grammar.NicgenSVParserQUESTION, grammar.NicgenSVParserIMPLIES, grammar.NicgenSVParserIFF_OP,
		grammar.NicgenSVParserAPOS, grammar.NicgenSVParserLBRACK, grammar.NicgenSVParserDOT,
		grammar.NicgenSVParserLPAREN, grammar.NicgenSVParserCOLON2}
	declarationTokens = append([]int{grammar.NicgenSVParserPARAMETER, grammar.NicgenSVParserLOCALPARAM,
		grammar.NicgenSVParserTYPEDEF, grammar.NicgenSVParserCONST, grammar.NicgenSVParserVAR,
		grammar.NicgenSVParserAUTOMATIC, grammar.NicgenSVParserSTATIC, grammar.NicgenSVParserATTR_OPEN,
		grammar.NicgenSVParserIDENT, grammar.NicgenSVParserESCAPED_IDENT, grammar.NicgenSVParserSEMI,
		grammar.NicgenSVParserSYSTEM_ID}, typeTokens...)
	moduleItemTokens = append([]int{grammar.NicgenSVParserALWAYS, grammar.NicgenSVParserALWAYS_FF,
		grammar.NicgenSVParserALWAYS_COMB, grammar.NicgenSVParserALWAYS_LATCH, grammar.NicgenSVParserASSIGN,
		grammar.NicgenSVParserINITIAL, grammar.NicgenSVParserFINAL, grammar.NicgenSVParserGENERATE,
		grammar.NicgenSVParserGENVAR, grammar.NicgenSVParserFOR, grammar.NicgenSVParserIF,
		grammar.NicgenSVParserCASE, grammar.NicgenSVParserBEGIN, grammar.NicgenSVParserFUNCTION,
		grammar.NicgenSVParserTASK, grammar.NicgenSVParserIMPORT, grammar.NicgenSVParserBIND,
		grammar.NicgenSVParserASSERT, grammar.NicgenSVParserASSUME, grammar.NicgenSVParserCOVER,
		grammar.NicgenSVParserRESTRICT, grammar.NicgenSVParserDEFAULT, grammar.NicgenSVParserPROPERTY,
		grammar.NicgenSVParserSEQUENCE, grammar.NicgenSVParserMODPORT, grammar.NicgenSVParserWIRE,
		grammar.NicgenSVParserTRI, grammar.NicgenSVParserUWIRE, grammar.NicgenSVParserWAND,
		grammar.NicgenSVParserWOR, grammar.NicgenSVParserSUPPLY0, grammar.NicgenSVParserSUPPLY1,
		grammar.NicgenSVParserTIMEUNIT, grammar.NicgenSVParserTIMEPRECISION, grammar.NicgenSVParserEXPORT,
		grammar.NicgenSVParserINPUT, grammar.NicgenSVParserOUTPUT, grammar.NicgenSVParserINOUT,
		grammar.NicgenSVParserREF}, declarationTokens...)
	statementTokens = append(append([]int{grammar.NicgenSVParserBEGIN, grammar.NicgenSVParserIF,
		grammar.NicgenSVParserUNIQUE, grammar.NicgenSVParserUNIQUE0, grammar.NicgenSVParserPRIORITY,
		grammar.NicgenSVParserCASE, grammar.NicgenSVParserCASEX, grammar.NicgenSVParserCASEZ,
		grammar.NicgenSVParserFOR, grammar.NicgenSVParserWHILE, grammar.NicgenSVParserREPEAT,
		grammar.NicgenSVParserFOREVER, grammar.NicgenSVParserDO, grammar.NicgenSVParserFOREACH,
		grammar.NicgenSVParserAT, grammar.NicgenSVParserHASH, grammar.NicgenSVParserWAIT,
		grammar.NicgenSVParserRETURN, grammar.NicgenSVParserBREAK, grammar.NicgenSVParserCONTINUE,
		grammar.NicgenSVParserDISABLE, grammar.NicgenSVParserVOID, grammar.NicgenSVParserASSERT,
		grammar.NicgenSVParserASSUME, grammar.NicgenSVParserCOVER, grammar.NicgenSVParserRESTRICT,
		grammar.NicgenSVParserINC, grammar.NicgenSVParserDEC}, expressionTokens...), declarationTokens...)
)

// maxExpected is the largest number of alternatives in a message.
const maxExpected = 6

// expected describes a set of tokens in words.
func expected(set *antlr.IntervalSet) string {
	if set == nil {
		return ""
	}
	left := map[int]bool{}
	for _, iv := range set.GetIntervals() {
		for t := iv.Start; t < iv.Stop; t++ {
			left[t] = true
		}
	}
	var words []string
next:
	for _, c := range classes {
		for _, k := range c.keys {
			if !left[k] {
				continue next
			}
		}
		for _, t := range c.all {
			delete(left, t)
		}
		words = append(words, c.name)
	}
	var rest []string
	for t := range left {
		switch lits := grammar.NicgenSVParserStaticData.LiteralNames; {
		case t == antlr.TokenEOF:
			rest = append(rest, "the end of the file")
		case t > 0 && t < len(lits) && lits[t] != "":
			rest = append(rest, lits[t])
		case tokenWords[t] != "":
			rest = append(rest, tokenWords[t])
		}
	}
	sort.Strings(rest)
	// The token that closes the construct is the likeliest omission, so it comes first.
	words = append(rest, words...)
	if len(words) > maxExpected {
		words = append(words[:maxExpected], "...")
	}
	if n := len(words); n > 1 && words[n-1] != "..." {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, ", ")
}

var tokenWords = map[int]string{
	grammar.NicgenSVParserDECIMAL: "a number", grammar.NicgenSVParserBASED: "a number",
	grammar.NicgenSVParserSTRING: "a string", grammar.NicgenSVParserTIME: "a time",
	grammar.NicgenSVParserREAL: "a real number", grammar.NicgenSVParserSYSTEM_ID: "a system task",
}
