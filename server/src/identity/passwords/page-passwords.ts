/**
 * Passwords of pages for people without an account: hashed like those of users and limited like sign-ins, but in a queue of
 * their own, so that guesses at a page do not keep users from signing in.
 */
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import { createLocks } from '../sessions/locks.ts'
import { createHashProcess } from './hash-process.ts'
import { createPasswords } from './passwords.ts'

interface PagePasswords {
  hash(password: string): Promise<string>
  /** `page` identifies the page. Throws a Problem `tooMany` after too many wrong passwords for it or from the address. */
  matches(page: string, address: string, password: string, hash: string): Promise<boolean>
  close(): void
}

const shortest = 8

export function createPagePasswords(db: Db, cost: Parameters<typeof createHashProcess>[0]): PagePasswords {
  const worker = createHashProcess(cost)
  const passwords = createPasswords(worker, { running: 1, waiting: 16 })
  const locks = createLocks(db)
  return {
    close: worker.close,
    async hash(password) {
      if (password.length < shortest || password.length > 128)
        throw new Problem('invalid', because('pagePassword', { min: shortest, max: 128 }))
      return passwords.hash(password)
    },
    matches: (page, address, password, hash) =>
      passwords.inTurn(async (matches) => {
        const source = { name: `share page\n${page}`, address } // no user has a name with a line break
        const { locked, counted } = locks.cached(source) ?? (await locks.find(source))
        if (locked !== undefined) throw new Problem('tooMany', 'too many wrong passwords: try again later')
        if (await matches(password, hash)) return true
        await Promise.all([locks.count(counted.name), locks.count(counted.address)])
        return false
      }),
  }
}
