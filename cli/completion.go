// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"github.com/urfave/cli/v2"
)

// The scripts ask nicgen for the words; complete.go has the form of its answer.

const bashCompletion = `# bash completion for nicgen: source this file.
_nicgen() {
  local kind
  local -a answer
  mapfile -t answer < <("${COMP_WORDS[0]/#\~/$HOME}" ` + completeName + ` bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  kind=${answer[0]-files}
  COMPREPLY=("${answer[@]:1}")
  case $kind in
    words) compopt +o default ;;
    folders) compopt +o default -o dirnames ;;
  esac
  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}
complete -o default -F _nicgen nicgen
`

const zshCompletion = `#compdef nicgen
_nicgen() {
  local tab=$'\t' kind row word
  local -a answer plain texts open opentexts
  answer=("${(@f)$(${~${(Q)words[1]}} ` + completeName + ` zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  kind=${answer[1]:-files}
  if [[ $kind != words ]]; then
    compset -P '-*='
    if [[ $kind == folders ]]; then _files -/; else _files; fi
    return
  fi
  for row in "${(@)answer[2,-1]}"; do
    word=${row%%$tab*}
    if [[ $row == *$tab* ]]; then row="$word  -- ${row#*$tab}"; fi
    if [[ $word == *= ]]; then open+=("$word"); opentexts+=("$row"); else plain+=("$word"); texts+=("$row"); fi
  done
  (( $#plain )) && compadd -l -d texts -a -- plain
  (( $#open )) && compadd -S '' -l -d opentexts -a -- open
  (( $#plain + $#open ))
}
compdef _nicgen nicgen
`

const fishCompletion = `# fish completion for nicgen.
function __nicgen_complete
  set -l line (commandline -opc)
  set -l cursor (commandline -ct)
  set -l answer ($line[1] ` + completeName + ` fish $line[2..-1] "$cursor" 2>/dev/null)
  set -l front (string match -r -- '^-[^=]*=' "$cursor")
  set -l rest (string replace -r -- '^-[^=]*=' '' "$cursor")
  switch "$answer[1]"
    case words
      test (count $answer) -gt 1; and printf '%s\n' $answer[2..-1]
    case folders
      printf "$front%s\n" (__fish_complete_directories "$rest")
    case '*'
      printf "$front%s\n" (__fish_complete_path "$rest")
  end
end
complete -c nicgen -f -a '(__nicgen_complete)'
`

func (r *runner) completionCommand() *cli.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: "Examples:\n" +
			"   source <(nicgen completion bash)\n" +
			"   nicgen completion zsh > ~/.zsh/completion/_nicgen\n" +
			"   nicgen completion fish > ~/.config/fish/completions/nicgen.fish",
		Action: func(c *cli.Context) error {
			shell, err := oneArgument(c, "bash, zsh or fish")
			if err != nil {
				return err
			}
			var text string
			switch shell {
			case "bash":
				text = bashCompletion
			case "zsh":
				text = zshCompletion
			case "fish":
				text = fishCompletion
			default:
				return usagef("unknown shell %q%s, allowed: bash, zsh or fish", shell, nearest(shell, shells))
			}
			_, err = r.out.Write([]byte(text))
			return err
		},
	}
}
