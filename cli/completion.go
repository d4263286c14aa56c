// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"github.com/urfave/cli/v2"
)

const bashCompletion = `# bash completion for nicgen: source this file.
_nicgen() {
  local cur="${COMP_WORDS[COMP_CWORD]}"
  local -a words=("${COMP_WORDS[@]:0:COMP_CWORD}")
  [[ $cur == -* ]] && words+=("$cur")
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _nicgen nicgen
`

const zshCompletion = `#compdef nicgen
_nicgen() {
  local cur="${words[CURRENT]}"
  local -a line=("${(@)words[1,CURRENT-1]}") found
  [[ $cur == -* ]] && line+=("$cur")
  found=("${(@f)$("${line[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n "${found[1]}" ]]; then
    compadd -- "${found[@]}"
  else
    _files
  fi
}
compdef _nicgen nicgen
`

func (r *runner) completionCommand(app *cli.App) *cli.Command {
	shells := []string{"bash", "zsh", "fish"}
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: "Examples:\n" +
			"   source <(nicgen completion bash)\n" +
			"   nicgen completion zsh > ~/.zsh/completion/_nicgen\n" +
			"   nicgen completion fish > ~/.config/fish/completions/nicgen.fish",
		BashComplete: func(*cli.Context) {
			for _, s := range shells {
				_, _ = r.out.Write([]byte(s + "\n"))
			}
		},
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
				if text, err = app.ToFishCompletion(); err != nil {
					return err
				}
			default:
				return usagef("unknown shell %q%s, allowed: bash, zsh or fish", shell, nearest(shell, shells))
			}
			_, err = r.out.Write([]byte(text))
			return err
		},
	}
}
