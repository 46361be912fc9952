/** Where one is signed in, kept for the next command: the address and an offline token, for one's own eyes only. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Kept {
  readonly url: string
  readonly user: string
  readonly offlineToken: string
}
export interface Session {
  read(): Kept | undefined
  write(kept: Kept): void
  forget(): void
  /** What commands keep for themselves, by name. */
  note<T>(name: string): { read(): T | undefined; write(value: T): void; forget(): void }
}

export function openSession(env: Readonly<Record<string, string | undefined>>): Session {
  const folder = env.KONTOR_CLI_HOME ?? join(env.XDG_CONFIG_HOME ?? join(env.HOME ?? env.USERPROFILE ?? '.', '.config'), 'kontor') // prettier-ignore
  const note = <T>(name: string) => {
    const file = join(folder, `${name}.json`)
    return {
      read(): T | undefined {
        try {
          return JSON.parse(readFileSync(file, 'utf8')) as T
        } catch {
          return undefined // none yet, or broken off while it was written
        }
      },
      write(value: T) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(file, JSON.stringify(value), { mode: 0o600 })
        chmodSync(file, 0o600)
      },
      forget: () => rmSync(file, { force: true }),
    }
  }
  return { ...note<Kept>('session'), note }
}
