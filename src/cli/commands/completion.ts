import type { Command } from 'commander'
import { OperatorError } from '../../lib/errors.ts'

type Words = { command: string; words: string[] }

/** Words that may follow each command: its subcommands and options. */
function collectWords(program: Command, path = ''): Words[] {
  const options = program.options.flatMap(({ long }) => (long ? [long] : []))
  const subcommands = program.commands.map((command) => command.name())
  return [
    { command: path, words: [...subcommands, ...options, '--help'] },
    ...program.commands.flatMap((command) => collectWords(command, `${path} ${command.name()}`.trim())),
  ]
}

/** A shell function that looks the words typed so far up in a table and offers what may follow; zsh runs it too. */
function writeBash(program: Command): string {
  const cases = collectWords(program)
    .map(({ command, words }) => `    "${command}") words="${words.join(' ')}" ;;`)
    .join('\n')
  return `_astrolabe() {
  local current=\${COMP_WORDS[COMP_CWORD]} command="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) break ;; *) command="\${command:+$command }$word" ;; esac
  done
  case $command in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _astrolabe astrolabe
`
}

function writeFish(program: Command): string {
  const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`
  const lines = program.commands.flatMap((command) => {
    const name = command.name()
    const isUsed = quote(`__fish_seen_subcommand_from ${name}`)
    return [
      `complete -c astrolabe -f -n __fish_use_subcommand -a ${name} -d ${quote(command.description())}`,
      ...command.commands.map((sub) => `complete -c astrolabe -f -n ${isUsed} -a ${sub.name()} -d ${quote(sub.description())}`),
      ...command.options.flatMap(({ long, description }) =>
        long ? [`complete -c astrolabe -n ${isUsed} -l ${long.slice(2)} -d ${quote(description)}`] : [],
      ),
    ]
  })
  return `${lines.join('\n')}\n`
}

const SHELLS: Record<string, (program: Command) => string> = {
  bash: writeBash,
  zsh: (program) => `autoload -U +X bashcompinit && bashcompinit\n${writeBash(program)}`,
  fish: writeFish,
}

export function registerCompletionCommand(program: Command): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a script that completes commands and options in a shell')
    .action((shell: string) => {
      const write = SHELLS[shell]
      if (!write) throw new OperatorError('bad_option', `no completion for ${shell}: bash, zsh or fish`)
      process.stdout.write(write(program))
    })
}
