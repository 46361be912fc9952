/**
 * The master key: what the private keys in the database are sealed with (AES-256-GCM), so that a copy of the database
 * alone signs nothing. Addresses that carry their own right are signed with a key derived from it.
 *
 * It comes from the settings, or from a file in the data folder that is made on first start. Processes that share a
 * database must share it.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface MasterKey {
  /** `label` says what it is, and must be the same when it is opened. */
  seal(content: Uint8Array, label: string): Buffer
  open(sealed: Uint8Array, label: string): Buffer
  /** The same for the same content and label; who lacks the key cannot make it. */
  sign(content: string, label: string): Buffer
}

/** What was sealed cannot be opened: for whoever operates the server. */
export class WrongMasterKey extends Error {}

const [nonceBytes, tagBytes] = [12, 16]

export function createMasterKey(secret: string): MasterKey {
  if (secret.length < 32) throw new WrongMasterKey('the master key needs at least 32 characters')
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'kontor master key', 32))
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'kontor signing key', 32))
  return {
    sign: (content, label) => createHmac('sha256', signingKey).update(`${label}\0${content}`).digest(),
    seal(content, label) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label))
      return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, label) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(label))
        .setAuthTag(sealed.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
      } catch (cause) {
        throw new WrongMasterKey(
          'the master key does not fit the keys in this database: every process on one database needs the same ' +
            'KONTOR_MASTER_KEY (or KONTOR_MASTER_KEY_FILE, or file master-key in its data folder)',
          { cause },
        )
      }
    },
  }
}

/** The key in the file; when there is none yet, a new one is put there, for its owner's eyes only. */
export function readMasterKeyFile(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
