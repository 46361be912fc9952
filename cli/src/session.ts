/** The sign-in that commands share: server address and offline token, in a file that only its owner can read. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface SignIn {
  readonly url: string
  readonly user: string
  readonly offlineToken: string
}
interface StoredValue<T> {
  read(): T | undefined
  write(value: T): void
  remove(): void
}
export interface Session extends StoredValue<SignIn> {
  /** Another value that a command keeps, in a file of this name. */
  stored<T>(name: string): StoredValue<T>
}

export function openSession(env: Readonly<Record<string, string | undefined>>): Session {
  const folder = env.KONTOR_CLI_HOME ?? join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? env.USERPROFILE ?? '.', '.config'), 'kontor') // prettier-ignore
  const stored = <T>(name: string): StoredValue<T> => {
    const file = join(folder, `${name}.json`)
    return {
      read() {
        try {
          return JSON.parse(readFileSync(file, 'utf8')) as T
        } catch {
          return undefined // no file yet, or one whose writing was interrupted
        }
      },
      write(value) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(file, JSON.stringify(value), { mode: 0o600 })
        chmodSync(file, 0o600) // writeFileSync applies the mode only to a new file
      },
      remove: () => rmSync(file, { force: true }),
    }
  }
  return { ...stored<SignIn>('session'), stored }
}
