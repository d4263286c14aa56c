// SPDX-License-Identifier: Apache-2.0

// The SystemVerilog that nicgen emits, that its assertion files use, and a
// margin around it: constructs that Verilator or Yosys mishandle are accepted
// here, so that the checker can name them and say what to write instead.
//
// Compiler directives and macros are resolved before the parser sees the
// tokens; comments stay on the hidden channel for documentation.
grammar NicgenSV;

// ---------------------------------------------------------------- file level

sourceText : fileItem* EOF ;

fileItem
    : moduleDecl
    | packageDecl
    | bindDirective
    | packageItem
    | SEMI
    ;

packageDecl
    : attribute* PACKAGE lifetime? identifier SEMI packageItem* ENDPACKAGE endLabel?
    ;

packageItem
    : attribute* ( paramDecl | typedefDecl | importDecl | exportDecl | functionDecl | taskDecl
                 | dataDecl | timeunitDecl )
    ;

timeunitDecl : ( TIMEUNIT | TIMEPRECISION ) TIME ( SLASH TIME )? SEMI ;

importDecl : IMPORT importItem ( COMMA importItem )* SEMI ;
importItem : identifier COLON2 ( identifier | STAR ) ;
exportDecl : EXPORT ( STAR COLON2 STAR | importItem ( COMMA importItem )* ) SEMI ;

moduleDecl
    : attribute* ( MODULE | INTERFACE ) lifetime? identifier importDecl*
      parameterPortList? portList? SEMI moduleItem*
      ( ENDMODULE | ENDINTERFACE ) endLabel?
    ;

lifetime : AUTOMATIC | STATIC ;
endLabel : COLON identifier ;

// ------------------------------------------------------- parameters and ports

parameterPortList : HASH LPAREN ( paramPort ( COMMA paramPort )* )? RPAREN ;

paramPort
    : attribute* ( PARAMETER | LOCALPARAM )? TYPE identifier ( ASSIGN_EQ dataType )?
    | attribute* ( PARAMETER | LOCALPARAM )? paramType? paramAssign
    | attribute* identifier ASSIGN_EQ dataType // behind another type parameter
    ;

paramType : dataType | implicitType ;

paramAssign : identifier unpackedDim* ( ASSIGN_EQ expression )? ;

paramDecl
    : ( PARAMETER | LOCALPARAM )
      ( TYPE identifier ASSIGN_EQ dataType ( COMMA identifier ASSIGN_EQ dataType )*
      | paramType? paramAssign ( COMMA paramAssign )* ) SEMI
    ;

portList : LPAREN ( port ( COMMA port )* )? RPAREN ;

port
    : attribute* INTERFACE ( DOT identifier )? identifier unpackedDim*
    | attribute* identifier DOT identifier identifier unpackedDim*
    | attribute* direction? netType? VAR? portType? identifier unpackedDim* ( ASSIGN_EQ expression )?
    ;

// The declaration of ports that the header only names.
portDecl : direction netType? VAR? portType? declarator ( COMMA declarator )* SEMI ;

direction : INPUT | OUTPUT | INOUT | REF ;
netType   : WIRE | TRI | UWIRE | WAND | WOR | SUPPLY0 | SUPPLY1 ;
portType  : dataType | implicitType ;

// --------------------------------------------------------------------- types

dataType
    : ( BIT | LOGIC | REG ) signing? packedDim*
    | ( BYTE | SHORTINT | INT | LONGINT | INTEGER | TIME_KW ) signing?
    | ( STRING_KW | REAL_KW | REALTIME | SHORTREAL | EVENT | CHANDLE )
    | ( STRUCT | UNION TAGGED? ) ( PACKED signing? )? LBRACE structMember+ RBRACE packedDim*
    | ENUM enumBase? LBRACE enumName ( COMMA enumName )* RBRACE packedDim*
    | TYPE LPAREN expression RPAREN
    | scopedName packedDim*
    ;

implicitType : signing packedDim* | packedDim+ ;
signing      : SIGNED | UNSIGNED ;

structMember : attribute* dataType declarator ( COMMA declarator )* SEMI ;

enumBase
    : ( BIT | LOGIC | REG ) signing? packedDim*
    | ( BYTE | SHORTINT | INT | LONGINT | INTEGER ) signing?
    | scopedName packedDim*
    | implicitType
    ;

enumName : identifier ( LBRACK expression ( COLON expression )? RBRACK )? ( ASSIGN_EQ expression )? ;

packedDim   : LBRACK expression COLON expression RBRACK | LBRACK RBRACK ;
unpackedDim : LBRACK ( expression ( COLON expression )? | DOLLAR | STAR )? RBRACK ;

typedefDecl : TYPEDEF ( dataType identifier unpackedDim* | ( ENUM | STRUCT | UNION )? identifier ) SEMI ;

declarator : identifier unpackedDim* ( ASSIGN_EQ expression )? ;

dataDecl
    : CONST? ( VAR lifetime? ( dataType | implicitType )? | lifetime? dataType )
      declarator ( COMMA declarator )* SEMI
    ;

netDecl
    : netType ( dataType | implicitType )? delay? declarator ( COMMA declarator )* SEMI
    ;

genvarDecl : GENVAR identifier ( COMMA identifier )* SEMI ;

// -------------------------------------------------------------- module items

moduleItem
    : attribute* moduleItemBody
    | SEMI
    ;

moduleItemBody
    : portDecl
    | paramDecl
    | typedefDecl
    | netDecl
    | dataDecl
    | genvarDecl
    | importDecl
    | timeunitDecl
    | functionDecl
    | taskDecl
    | continuousAssign
    | alwaysBlock
    | initialBlock
    | instantiation
    | generateRegion
    | loopGenerate
    | ifGenerate
    | caseGenerate
    | generateBlock
    | elabTask
    | bindDirective
    | ( identifier COLON )? concurrentAssertion
    | defaultClocking
    | propertyDecl
    | sequenceDecl
    | modportDecl
    ;

continuousAssign : ASSIGN delay? assignment ( COMMA assignment )* SEMI ;
assignment       : primary ASSIGN_EQ expression ;

alwaysBlock  : ( ALWAYS | ALWAYS_FF | ALWAYS_COMB | ALWAYS_LATCH ) statement ;
initialBlock : ( INITIAL | FINAL ) statement ;

instantiation
    : identifier paramConnections? instance ( COMMA instance )* SEMI
    ;

paramConnections : HASH LPAREN ( paramConnection ( COMMA paramConnection )* )? RPAREN ;
paramConnection  : DOT identifier LPAREN ( expression | dataType )? RPAREN | expression ;

instance : identifier unpackedDim* LPAREN ( connection ( COMMA connection )* )? RPAREN ;

connection
    : attribute* DOT identifier ( LPAREN expression? RPAREN )?
    | attribute* DOT_STAR
    | expression
    ;

generateRegion : GENERATE moduleItem* ENDGENERATE ;

loopGenerate
    : FOR LPAREN GENVAR? identifier ASSIGN_EQ expression SEMI expression SEMI forStep RPAREN generateItem
    ;

ifGenerate : IF LPAREN expression RPAREN generateItem ( ELSE generateItem )? ;

caseGenerate
    : CASE LPAREN expression RPAREN caseGenerateItem+ ENDCASE
    ;
caseGenerateItem
    : expression ( COMMA expression )* COLON generateItem
    | DEFAULT COLON? generateItem
    ;

generateItem  : generateBlock | moduleItem ;
generateBlock : ( identifier COLON )? BEGIN endLabel? moduleItem* END endLabel? ;

elabTask : SYSTEM_ID ( LPAREN argumentList RPAREN )? SEMI ;

bindDirective
    : BIND bindTarget ( COLON bindTarget ( COMMA bindTarget )* )? instantiation
    ;
bindTarget : identifier ( DOT identifier | LBRACK expression RBRACK )* ;

modportDecl : MODPORT modportItem ( COMMA modportItem )* SEMI ;
modportItem : identifier LPAREN modportPort ( COMMA modportPort )* RPAREN ;
modportPort
    : direction? identifier
    | direction? DOT identifier LPAREN expression? RPAREN
    | CLOCKING identifier
    | ( IMPORT | EXPORT ) identifier
    | ( IMPORT | EXPORT )? prototype
    ;
prototype
    : ( FUNCTION lifetime? ( VOID | dataType | implicitType )? | TASK lifetime? ) identifier
      ( LPAREN ( tfPort ( COMMA tfPort )* )? RPAREN )?
    ;

// ------------------------------------------------------- functions and tasks

functionDecl
    : FUNCTION lifetime? ( VOID | dataType | implicitType )? identifier
      ( LPAREN ( tfPort ( COMMA tfPort )* )? RPAREN )? SEMI
      ( tfPortDecl | blockItem )* ENDFUNCTION endLabel?
    ;

taskDecl
    : TASK lifetime? identifier
      ( LPAREN ( tfPort ( COMMA tfPort )* )? RPAREN )? SEMI
      ( tfPortDecl | blockItem )* ENDTASK endLabel?
    ;

tfPort     : attribute* CONST? direction? VAR? ( dataType | implicitType )? identifier unpackedDim* ( ASSIGN_EQ expression )? ;
tfPortDecl : direction VAR? ( dataType | implicitType )? identifier ( COMMA identifier )* SEMI ;

// ---------------------------------------------------------------- statements

blockItem
    : attribute* ( dataDecl | paramDecl | typedefDecl )
    | statement
    ;

statement : ( identifier COLON )? attribute* statementBody ;

statementBody
    : block
    | uniqueness? IF LPAREN expression RPAREN statement ( ELSE statement )?
    | uniqueness? ( CASE | CASEZ | CASEX ) LPAREN expression RPAREN INSIDE? caseItem+ ENDCASE
    | FOR LPAREN forInit? SEMI expression? SEMI forStep? RPAREN statement
    | WHILE LPAREN expression RPAREN statement
    | REPEAT LPAREN expression RPAREN statement
    | FOREVER statement
    | DO statement WHILE LPAREN expression RPAREN SEMI
    | foreachLoop
    | eventControl statement
    | delay statement
    | WAIT LPAREN expression RPAREN statement
    | returnStatement
    | jumpStatement
    | DISABLE ( identifier | FORK ) SEMI
    | procedural SEMI
    | VOID APOS LPAREN expression RPAREN SEMI
    | immediateAssertion
    | concurrentAssertion
    | SEMI
    ;

block : BEGIN endLabel? blockItem* END endLabel? ;

uniqueness      : UNIQUE | UNIQUE0 | PRIORITY ;
returnStatement : RETURN expression? SEMI ;
jumpStatement   : ( BREAK | CONTINUE ) SEMI ;
foreachLoop     : FOREACH LPAREN identifier LBRACK identifier? ( COMMA identifier? )* RBRACK RPAREN statement ;

caseItem
    : valueRange ( COMMA valueRange )* COLON statement
    | DEFAULT COLON? statement
    ;

forInit
    : forVar ( COMMA forVar )*
    | assignment ( COMMA assignment )*
    ;
forVar  : VAR? dataType? identifier ASSIGN_EQ expression ;
forStep : procedural ( COMMA procedural )* ;

// Assignments, increments and calls: whatever starts with the target.
procedural
    : primary assignOp ( delay | eventControl )? expression
    | primary ( INC | DEC )
    | ( INC | DEC ) primary
    | primary
    ;

assignOp
    : ASSIGN_EQ | LE | PLUS_EQ | MINUS_EQ | STAR_EQ | SLASH_EQ | PERCENT_EQ
    | AND_EQ | OR_EQ | XOR_EQ | SHL_EQ | SHR_EQ | ASHL_EQ | ASHR_EQ
    ;

eventControl
    : AT ( STAR | ATTR_OPEN RPAREN | LPAREN STAR RPAREN | LPAREN eventList RPAREN | identifier )
    ;
eventList : eventTerm ( ( COMMA | OR ) eventTerm )* ;
eventTerm : ( POSEDGE | NEGEDGE | EDGE )? expression ( IFF expression )? ;

delay : HASH ( DECIMAL | REAL | TIME | identifier | LPAREN expression RPAREN ) ;

// ---------------------------------------------------------------- assertions

immediateAssertion
    : ( ASSERT | ASSUME | COVER ) ( HASH DECIMAL | FINAL )? LPAREN expression RPAREN actionBlock
    ;

actionBlock : ELSE statement | statement ( ELSE statement )? ;

concurrentAssertion
    : ( ASSERT | ASSUME | COVER | RESTRICT ) ( PROPERTY | SEQUENCE )
      LPAREN propertySpec RPAREN actionBlock
    ;

defaultClocking
    : DEFAULT CLOCKING ( identifier SEMI | identifier? eventControl SEMI ENDCLOCKING endLabel? )
    | DEFAULT DISABLE IFF expression SEMI
    ;

propertyDecl
    : PROPERTY identifier ( LPAREN ( tfPort ( COMMA tfPort )* )? RPAREN )? SEMI
      dataDecl* propertySpec SEMI? ENDPROPERTY endLabel?
    ;

sequenceDecl
    : SEQUENCE identifier ( LPAREN ( tfPort ( COMMA tfPort )* )? RPAREN )? SEMI
      dataDecl* propertySpec SEMI? ENDSEQUENCE endLabel?
    ;

propertySpec : eventControl? ( DISABLE IFF LPAREN expression RPAREN )? propertyExpr ;

propertyExpr
    : NOT propertyExpr
    | cycleDelay propertyExpr
    | propertyExpr cycleDelay propertyExpr
    | propertyExpr ( THROUGHOUT | WITHIN | INTERSECT ) propertyExpr
    | propertyExpr AND propertyExpr
    | propertyExpr OR propertyExpr
    | <assoc=right> propertyExpr ( OVERLAP_IMPL | NEXT_IMPL ) propertyExpr
    | IF LPAREN expression RPAREN propertyExpr ( ELSE propertyExpr )?
    | expression repetition?
    | LPAREN propertyExpr RPAREN repetition?
    ;

cycleDelay
    : HASH2 ( DECIMAL | identifier | LPAREN expression RPAREN
            | LBRACK ( expression COLON ( expression | DOLLAR ) | STAR | PLUS ) RBRACK )
    ;

repetition
    : LBRACK ( STAR | ASSIGN_EQ | IMPLIES ) ( expression ( COLON ( expression | DOLLAR ) )? )? RBRACK
    ;

// --------------------------------------------------------------- expressions

expression
    : primary                                                     # PrimaryExpr
    | op=( PLUS | MINUS | BANG | TILDE | AMP | NAND | PIPE | NOR | CARET | XNOR )
      expression                                                  # UnaryExpr
    | expression op=POW expression                                # BinaryExpr
    | expression op=( STAR | SLASH | PERCENT ) expression         # BinaryExpr
    | expression op=( PLUS | MINUS ) expression                   # BinaryExpr
    | expression op=( SHL | SHR | ASHL | ASHR ) expression        # BinaryExpr
    | expression op=( LT | LE | GT | GE ) expression              # BinaryExpr
    | expression INSIDE LBRACE valueRange ( COMMA valueRange )* RBRACE # InsideExpr
    | expression op=( EQ | NE | CASE_EQ | CASE_NE | WILD_EQ | WILD_NE ) expression # BinaryExpr
    | expression op=AMP expression                                # BinaryExpr
    | expression op=( CARET | XNOR ) expression                   # BinaryExpr
    | expression op=PIPE expression                               # BinaryExpr
    | expression op=AND2 expression                               # BinaryExpr
    | expression op=OR2 expression                                # BinaryExpr
    | <assoc=right> expression QUESTION expression COLON expression # TernaryExpr
    | <assoc=right> expression op=( IMPLIES | IFF_OP ) expression # BinaryExpr
    ;

valueRange : expression | LBRACK expression COLON ( expression | DOLLAR ) RBRACK ;

primary
    : literal                                                     # LiteralPrimary
    | scopedName                                                  # NamePrimary
    | SYSTEM_ID ( LPAREN argumentList RPAREN )?                  # SystemCall
    | LPAREN expression ( COLON expression COLON expression )? RPAREN # ParenPrimary
    | LBRACE ( expression ( replicated | ( COMMA expression )* ) )? RBRACE # Concatenation
    | LBRACE ( SHL | SHR ) ( dataType | expression )? replicated RBRACE # Streaming
    | APOS LBRACE patternItems? RBRACE                            # Pattern
    | castType APOS LPAREN expression RPAREN                      # TypeCast
    | primary APOS LPAREN expression RPAREN                       # SizeCast
    | primary APOS LBRACE patternItems? RBRACE                    # TypedPattern
    | primary LPAREN argumentList RPAREN                         # CallPrimary
    | primary DOT identifier                                      # MemberPrimary
    | primary LBRACK expression ( op=( COLON | PLUS_COLON | MINUS_COLON ) expression )? RBRACK # SelectPrimary
    ;

castType
    : SIGNED | UNSIGNED | CONST | STRING_KW | BIT | LOGIC | REG
    | BYTE | SHORTINT | INT | LONGINT | INTEGER | TIME_KW | REAL_KW
    ;

replicated   : LBRACE expression ( COMMA expression )* RBRACE ;
patternItems : patternItem ( COMMA patternItem )* ;
patternItem
    : DEFAULT COLON expression
    | expression ( COLON expression | replicated )?
    ;

argumentList : argument ( COMMA argument )* ;
argument
    : DOT identifier LPAREN expression? RPAREN
    | eventControl
    | expression
    | builtinType
    |
    ;

// A type as an argument, for $bits and $typename; named types are expressions.
builtinType
    : ( BIT | LOGIC | REG ) signing? packedDim*
    | ( BYTE | SHORTINT | INT | LONGINT | INTEGER | TIME_KW ) signing?
    ;

literal : DECIMAL | BASED | UNBASED | REAL | TIME | STRING | NULL | DOLLAR ;

scopedName : ( ( identifier | DOLLAR_UNIT ) COLON2 )? identifier ;
identifier : IDENT | ESCAPED_IDENT ;

attribute     : ATTR_OPEN attributeSpec ( COMMA attributeSpec )* ATTR_CLOSE ;
attributeSpec : identifier ( ASSIGN_EQ expression )? ;

// -------------------------------------------------------------------- tokens

ALWAYS : 'always' ; ALWAYS_COMB : 'always_comb' ; ALWAYS_FF : 'always_ff' ;
ALWAYS_LATCH : 'always_latch' ; AND : 'and' ; ASSERT : 'assert' ; ASSIGN : 'assign' ;
ASSUME : 'assume' ; AUTOMATIC : 'automatic' ; BEGIN : 'begin' ; BIND : 'bind' ; BIT : 'bit' ;
BREAK : 'break' ; BYTE : 'byte' ; CASE : 'case' ; CASEX : 'casex' ; CASEZ : 'casez' ;
CHANDLE : 'chandle' ; CLOCKING : 'clocking' ; CONST : 'const' ; CONTINUE : 'continue' ;
COVER : 'cover' ; DEFAULT : 'default' ; DISABLE : 'disable' ; DO : 'do' ; EDGE : 'edge' ;
ELSE : 'else' ; END : 'end' ; ENDCASE : 'endcase' ; ENDCLOCKING : 'endclocking' ;
ENDFUNCTION : 'endfunction' ; ENDGENERATE : 'endgenerate' ; ENDINTERFACE : 'endinterface' ;
ENDMODULE : 'endmodule' ; ENDPACKAGE : 'endpackage' ; ENDPROPERTY : 'endproperty' ;
ENDSEQUENCE : 'endsequence' ; ENDTASK : 'endtask' ; ENUM : 'enum' ; EVENT : 'event' ;
EXPORT : 'export' ;
FINAL : 'final' ; FOR : 'for' ; FOREACH : 'foreach' ; FOREVER : 'forever' ; FORK : 'fork' ;
FUNCTION : 'function' ; GENERATE : 'generate' ; GENVAR : 'genvar' ; IF : 'if' ; IFF : 'iff' ;
IMPORT : 'import' ; INITIAL : 'initial' ; INOUT : 'inout' ; INPUT : 'input' ; INSIDE : 'inside' ;
INT : 'int' ; INTEGER : 'integer' ; INTERFACE : 'interface' ; INTERSECT : 'intersect' ;
LOCALPARAM : 'localparam' ; LOGIC : 'logic' ; LONGINT : 'longint' ; MODPORT : 'modport' ;
MODULE : 'module' ; NEGEDGE : 'negedge' ; NOT : 'not' ; NULL : 'null' ; OR : 'or' ;
OUTPUT : 'output' ; PACKAGE : 'package' ; PACKED : 'packed' ; PARAMETER : 'parameter' ;
POSEDGE : 'posedge' ; PRIORITY : 'priority' ; PROPERTY : 'property' ; REAL_KW : 'real' ;
REALTIME : 'realtime' ; REF : 'ref' ; REG : 'reg' ; REPEAT : 'repeat' ; RESTRICT : 'restrict' ;
RETURN : 'return' ; SEQUENCE : 'sequence' ; SHORTINT : 'shortint' ; SHORTREAL : 'shortreal' ;
SIGNED : 'signed' ; STATIC : 'static' ; STRING_KW : 'string' ; STRUCT : 'struct' ;
SUPPLY0 : 'supply0' ; SUPPLY1 : 'supply1' ; TAGGED : 'tagged' ; TASK : 'task' ;
THROUGHOUT : 'throughout' ; TIME_KW : 'time' ; TIMEPRECISION : 'timeprecision' ;
TIMEUNIT : 'timeunit' ; TRI : 'tri' ; TYPE : 'type' ; TYPEDEF : 'typedef' ; UNION : 'union' ;
UNIQUE : 'unique' ; UNIQUE0 : 'unique0' ; UNSIGNED : 'unsigned' ; UWIRE : 'uwire' ; VAR : 'var' ;
VOID : 'void' ; WAIT : 'wait' ; WAND : 'wand' ; WHILE : 'while' ; WIRE : 'wire' ;
WITHIN : 'within' ; WOR : 'wor' ;

// Reserved by the language, without a place in the subset: never identifiers.
RESERVED
    : 'accept_on' | 'alias' | 'before' | 'bins' | 'binsof' | 'buf' | 'bufif0' | 'bufif1'
    | 'cell' | 'checker' | 'class' | 'cmos' | 'config' | 'constraint' | 'context'
    | 'covergroup' | 'coverpoint' | 'cross' | 'deassign' | 'defparam' | 'design' | 'dist'
    | 'endchecker' | 'endclass' | 'endconfig' | 'endgroup' | 'endprimitive' | 'endprogram'
    | 'endspecify' | 'endtable' | 'eventually' | 'expect' | 'extends' | 'extern'
    | 'first_match' | 'force' | 'forkjoin' | 'global' | 'highz0' | 'highz1' | 'ifnone'
    | 'ignore_bins' | 'illegal_bins' | 'implements' | 'implies' | 'incdir' | 'include'
    | 'instance' | 'interconnect' | 'join' | 'join_any' | 'join_none' | 'large' | 'let'
    | 'liblist' | 'library' | 'local' | 'macromodule' | 'matches' | 'medium' | 'nand'
    | 'nettype' | 'new' | 'nexttime' | 'nmos' | 'nor' | 'noshowcancelled' | 'notif0'
    | 'notif1' | 'pmos' | 'primitive' | 'program' | 'protected' | 'pull0' | 'pull1'
    | 'pulldown' | 'pullup' | 'pulsestyle_ondetect' | 'pulsestyle_onevent' | 'pure' | 'rand'
    | 'randc' | 'randcase' | 'randsequence' | 'rcmos' | 'reject_on' | 'release' | 'rnmos'
    | 'rpmos' | 'rtran' | 'rtranif0' | 'rtranif1' | 's_always' | 's_eventually'
    | 's_nexttime' | 's_until' | 's_until_with' | 'scalared' | 'showcancelled' | 'small'
    | 'soft' | 'solve' | 'specify' | 'specparam' | 'strong' | 'strong0' | 'strong1'
    | 'super' | 'sync_accept_on' | 'sync_reject_on' | 'table' | 'this' | 'tran' | 'tranif0'
    | 'tranif1' | 'tri0' | 'tri1' | 'triand' | 'trior' | 'trireg' | 'until' | 'until_with'
    | 'untyped' | 'use' | 'vectored' | 'virtual' | 'wait_order' | 'weak' | 'weak0'
    | 'weak1' | 'wildcard' | 'with' | 'xnor' | 'xor'
    ;

ATTR_OPEN : '(*' ; ATTR_CLOSE : '*)' ;
LPAREN : '(' ; RPAREN : ')' ; LBRACK : '[' ; RBRACK : ']' ; LBRACE : '{' ; RBRACE : '}' ;
SEMI : ';' ; COMMA : ',' ; DOT_STAR : '.*' ; DOT : '.' ; COLON2 : '::' ; COLON : ':' ;
QUESTION : '?' ; HASH2 : '##' ; HASH : '#' ; AT : '@' ; APOS : '\'' ;
DOLLAR_UNIT : '$unit' ; DOLLAR : '$' ;

ASSIGN_EQ : '=' ; PLUS_EQ : '+=' ; MINUS_EQ : '-=' ; STAR_EQ : '*=' ; SLASH_EQ : '/=' ;
PERCENT_EQ : '%=' ; AND_EQ : '&=' ; OR_EQ : '|=' ; XOR_EQ : '^=' ; SHL_EQ : '<<=' ;
SHR_EQ : '>>=' ; ASHL_EQ : '<<<=' ; ASHR_EQ : '>>>=' ;
INC : '++' ; DEC : '--' ; POW : '**' ; PLUS : '+' ; MINUS : '-' ; STAR : '*' ; SLASH : '/' ;
PERCENT : '%' ; ASHL : '<<<' ; ASHR : '>>>' ; SHL : '<<' ; SHR : '>>' ;
IFF_OP : '<->' ; IMPLIES : '->' ; OVERLAP_IMPL : '|->' ; NEXT_IMPL : '|=>' ;
CASE_EQ : '===' ; CASE_NE : '!==' ; WILD_EQ : '==?' ; WILD_NE : '!=?' ; EQ : '==' ; NE : '!=' ;
LE : '<=' ; GE : '>=' ; LT : '<' ; GT : '>' ; AND2 : '&&' ; OR2 : '||' ;
NAND : '~&' ; NOR : '~|' ; XNOR : '~^' | '^~' ; AMP : '&' ; PIPE : '|' ; CARET : '^' ;
BANG : '!' ; TILDE : '~' ; PLUS_COLON : '+:' ; MINUS_COLON : '-:' ;

BASED
    : ( DIGITS BLANK* )? '\'' [sS]? ( [bB] BLANK* [01xXzZ?] [01xXzZ?_]*
                                    | [oO] BLANK* [0-7xXzZ?] [0-7xXzZ?_]*
                                    | [dD] BLANK* ( [0-9] [0-9_]* | [xXzZ?] '_'* )
                                    | [hH] BLANK* [0-9a-fA-FxXzZ?] [0-9a-fA-FxXzZ?_]* )
    ;
UNBASED : '\'' [01xXzZ] ;
TIME    : DIGITS ( '.' DIGITS )? ( 's' | 'ms' | 'us' | 'ns' | 'ps' | 'fs' ) ;
REAL    : DIGITS '.' DIGITS ( [eE] [+-]? DIGITS )? | DIGITS [eE] [+-]? DIGITS ;
DECIMAL : DIGITS ;
STRING  : '"' ( ~["\\\r\n] | '\\' . )* '"' ;

SYSTEM_ID     : '$' [a-zA-Z0-9_$]+ ;
IDENT         : [a-zA-Z_] [a-zA-Z0-9_$]* ;
ESCAPED_IDENT : '\\' ~[ \t\r\n\f]+ ;

// Compiler directives; never seen by the parser.
DEFINE    : '`define' REST_OF_LINE ;
TIMESCALE : '`timescale' ~[\r\n/]* '/'? ~[\r\n/]* ;
DIRECTIVE : '`' [a-zA-Z_] [a-zA-Z0-9_$]* ;

LINE_COMMENT  : '//' ~[\r\n]* -> channel(HIDDEN) ;
BLOCK_COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
WHITE         : [ \t\r\n\f]+ -> skip ;

// Text that is no token, kept as one so that the message can point at it.
OPEN_COMMENT : '/*' ( ~'*' | '*'+ ~[*/] )* '*'* ;
OPEN_STRING  : '"' ( ~["\\\r\n] | '\\' . )* ;
STRAY        : . ;

fragment DIGITS : [0-9] [0-9_]* ;
fragment BLANK  : [ \t] ;
fragment REST_OF_LINE : ( '\\' '\r'? '\n' | ~[\r\n] )* ;
