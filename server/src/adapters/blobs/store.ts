/**
 * What keeps bytes under keys: a folder (disk.ts) or an S3 bucket (s3.ts). One suite of tests holds both to this.
 *
 * Keys are made by us, never by callers: letters, digits, `-` and `/`. A key that was written is there whole or not at
 * all, and survives the machine.
 */

export interface Store {
  /** Makes the bytes of a local file durable under the key. The file may be gone afterwards. */
  write(key: string, file: string): Promise<void>
  /** The bytes from the first to the last of the range, or all. Throws `Missing`. */
  read(key: string, range?: Range): Promise<Read>
  /** How many bytes there are, or undefined when there is nothing. */
  size(key: string): Promise<number | undefined>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<Listed>
  /** Where the bytes are on this machine, if they are. */
  fileOf?(key: string): string
  /** An address that gives the bytes to whoever has it, for a while. */
  presign?(key: string, reply: PresignedReply, seconds: number): Promise<string>
}

/** Both ends count. */
export interface Range {
  readonly first: number
  readonly last: number
}
export interface Read {
  /** Each holds its bytes until the next one is asked for. */
  readonly pieces: AsyncIterable<Buffer>
  /** How many bytes they have together. */
  readonly size: number
  /** Changes when the stored bytes are replaced or touched. */
  readonly print: string
}
export interface Listed {
  readonly key: string
  readonly size: number
  readonly modifiedAt: Date
}
/** The headers under which an address of S3 gives the bytes. */
export interface PresignedReply {
  readonly contentType: string
  readonly contentDisposition: string
}

export class Missing extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`nothing is stored as ${key}`, options)
    this.name = 'Missing'
  }
}
