/** What the `kontor` command can do on the server's own machine: one row per noun and verb. Returns an exit code. */
import { BadConfig, describeConfig, readConfig } from '../config.ts'

export type Command = (args: readonly string[], env: Record<string, string | undefined>) => Promise<number>

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['config print', (_args, env) => withConfig(env, (lines) => console.log(lines))],
  ['config check', (_args, env) => withConfig(env, () => console.log('The settings are fine.'))],
])

async function withConfig(env: Record<string, string | undefined>, show: (lines: string) => void): Promise<number> {
  try {
    show(
      describeConfig(readConfig(env))
        .map(({ env, value, doc }) => `# ${doc}\n${env}=${value}`)
        .join('\n\n'),
    )
    return 0
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error
    console.error(`Settings that cannot be used:\n${error.message}`)
    return 1
  }
}
