/**
 * The second factor: a code from an authenticator app, asked for after the password.
 *
 *   begin     creates a secret and returns it once
 *   confirm   a code proves that the app has the secret; from then on codes are required; returns recovery codes once
 *   check     accepts a code of the app or a recovery code, each of them once
 *   remove    by its owner with a code, or by an administrator
 */
import { createHash, randomBytes } from 'node:crypto'
import { because } from '@kontor/contract'
import type { Db } from '../../adapters/postgres/db.ts'
import { Problem } from '../../errors.ts'
import type { MasterKey } from '../tokens/master-key.ts'
import * as sql from './second-factor.sql.ts'
import { otpauthUri, stepOf, toBase32 } from './totp.ts'
import type { User } from '../users/users.sql.ts'

export interface SecondFactor {
  state(userId: string): Promise<{ enabled: boolean; recoveryCodes: number }>
  begin(user: User): Promise<{ secret: string; uri: string }>
  /** Returns the recovery codes. `note` runs in the same transaction. */
  confirm(userId: string, code: string, note: (db: Db) => Promise<unknown>): Promise<string[]>
  check(userId: string, code: string): Promise<boolean>
}

const recoveryCodes = 10

export function createSecondFactor(db: Db, masterKey: MasterKey, issuer: string): SecondFactor {
  const labelOf = (userId: string) => `second factor ${userId}`
  const useCode = async (db: Db, userId: string, row: sql.SecondFactorRow, code: string) => {
    const step = stepOf(masterKey.open(row.sealed, labelOf(userId)), code)
    return step !== undefined && (await sql.useStep(db, userId, step))
  }
  return {
    async state(userId) {
      const row = await sql.findSecondFactor(db, userId)
      return { enabled: row?.confirmed ?? false, recoveryCodes: row?.recoveryCodes ?? 0 }
    },
    async begin({ id, name }) {
      const secret = randomBytes(20)
      if (!(await sql.putUnconfirmed(db, id, masterKey.seal(secret, labelOf(id))))) {
        throw new Problem('exists', because('secondFactorExists'))
      }
      return { secret: toBase32(secret), uri: otpauthUri(secret, issuer, name) }
    },
    confirm: (userId, code, note) =>
      db.transaction(async (db) => {
        const row = await sql.findSecondFactor(db, userId)
        if (!row) throw new Problem('notFound', 'no second factor was begun')
        if (row.confirmed) throw new Problem('exists', 'the second factor is confirmed already')
        if (!(await useCode(db, userId, row, code.trim()))) throw wrongCode()
        const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
        await sql.insertRecoveryCodes(db, userId, codes.map(hashOf))
        await note(db)
        return codes
      }),
    async check(userId, code) {
      const row = await sql.findSecondFactor(db, userId)
      if (!row?.confirmed) return false
      const given = code.trim()
      if (/^\d{6}$/.test(given)) return useCode(db, userId, row, given)
      return sql.useRecoveryCode(db, userId, hashOf(given))
    },
  }
}

export const wrongCode = () => new Problem('invalid', because('wrongCode'))

/** Sixteen characters in four groups: 80 bits. */
const newRecoveryCode = () => toBase32(randomBytes(10)).match(/.{4}/g)!.join('-')
/** Ignores case, spaces and hyphens. */
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))
    .digest()
