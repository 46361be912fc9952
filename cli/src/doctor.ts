/**
 * `kontor doctor` on a machine without a server: checks the connection to one. With the package of the server installed,
 * its command of the same name checks the installation instead.
 */
import { KontorError } from '@kontor/sdk'
import { type Call, type Command, exitCodes } from './command.ts'

export const serverPackage =
  'the package of the server is not installed here (npm install -g ./kontor-server-<version>.tgz)'

type Check = (call: Call) => Promise<string>

// prettier-ignore
const checks: readonly (readonly [subject: string, check: Check])[] = [
  ['address', async (call) => addressOf(call)],
  ['server', server],
  ['sign-in', signIn],
]

export const connectionDoctor: Command = {
  name: 'doctor',
  usage: '',
  doc: 'Checks the connection to the server and the sign-in; explains what is wrong, and changes nothing',
  async run(call) {
    const lines: string[] = []
    let ok = true
    for (const [subject, check] of checks) {
      const found = await check(call).catch((error: Error) => error)
      if (found instanceof Error) ok = false
      lines.push(
        `${found instanceof Error ? 'wrong' : 'fine '}  ${subject.padEnd(12)} ${found instanceof Error ? found.message : found}`,
      )
      if (!ok) break // the following checks would fail for the same reason
    }
    lines.push(`skip   installation ${serverPackage}`)
    call.out.value({ ok, lines }, () => lines)
    return ok ? exitCodes.ok : exitCodes.refused
  },
}

function addressOf({ env, session }: Call): string {
  const address = env.KONTOR_URL?.replace(/\/+$/, '') ?? session.read()?.url
  if (address === undefined)
    throw new Error('no server is known; run `kontor login --url <address>`, or set KONTOR_URL')
  return address
}

async function server(call: Call): Promise<string> {
  const address = addressOf(call)
  const { status } = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as { code?: string }
    throw new Error(
      `${address} does not answer (${code ?? error.message}); check the address, and that the server runs`,
    )
  })
  if (status !== 200) throw new Error(`${address} is not ready (status ${status}); see the log of the server`)
  return 'answers and is ready'
}

async function signIn(call: Call): Promise<string> {
  try {
    const { name, roles = [] } = await call.client().identity.me()
    return `${name}: ${roles.join(', ')}`
  } catch (error) {
    if (error instanceof KontorError && error.status === 401)
      throw new Error('not signed in; run `kontor login`', { cause: error })
    throw error
  }
}
