/**
 * The master key encrypts the private keys in the database (AES-256-GCM), so that a copy of the database is not enough to
 * sign tokens. A key derived from it signs presigned URLs.
 *
 * It comes from the settings, or from a file in the data folder that the first start creates. Processes that share a
 * database must share the master key.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface MasterKey {
  /** Encrypts the content. `label` describes it; `open` needs the same label. */
  seal(content: Uint8Array, label: string): Buffer
  open(sealed: Uint8Array, label: string): Buffer
  /** A deterministic MAC of content and label. */
  sign(content: string, label: string): Buffer
}

/** The content cannot be decrypted. The message is for the operator of the server. */
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

/** Reads the key from the file; undefined if there is no file. */
export function findMasterKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads the key from the file; creates a file with a new key if there is none, readable only by its owner. */
export function readMasterKeyFile(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
