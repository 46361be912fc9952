/**
 * A store of bytes under keys: a folder (disk.ts) or an S3 bucket (s3.ts). One test suite covers both.
 *
 * Keys are ours, never from callers: letters, digits, `-` and `/`. A written key is either complete or absent, and survives a
 * crash of the machine.
 */

export interface Store {
  /** Makes the bytes of a local file durable under the key. May move the file away. */
  write(key: string, file: string): Promise<void>
  /** Makes a key durable that exists: its writer may have failed after the bytes were in place, or may not be done yet. */
  settle?(key: string): Promise<void>
  /** The bytes of the range, or all. Throws `Missing`. */
  read(key: string, range?: Range): Promise<Read>
  /** The number of bytes, or undefined if the key does not exist. */
  size(key: string): Promise<number | undefined>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<Listed>
  /** Rejects if nothing can be stored at the moment. */
  check(): Promise<void>
  /** The local path of the bytes, if there is one. */
  fileOf?(key: string): string
  /** A URL that returns the bytes to anybody who has it, for a while. */
  presign?(key: string, reply: PresignedReply, seconds: number): Promise<string>
  /** A URL that accepts exactly this number of bytes from anybody who has it, for a while. */
  presignWrite?(key: string, size: number, seconds: number): Promise<string>
  /**
   * Concatenates objects server-side (multipart copy); the sources stay. All but the last must have the minimum part
   * size. Throws `Unsupported`: not every S3-compatible server can do it.
   */
  join?(parts: readonly Part[], key: string): Promise<void>
  /** Removes leftovers of interrupted writes from before then, and returns their number. */
  sweep?(before: Date): Promise<number>
}

/** The minimum size of an S3 part, except for the last one. */
export const smallestPart = 5 * 1024 * 1024
export interface Part {
  readonly key: string
  readonly size: number
}

/** Both ends are inclusive. */
export interface Range {
  readonly first: number
  readonly last: number
}
export interface Read {
  /** Each chunk is valid until the next one is requested. */
  readonly pieces: AsyncIterable<Buffer>
  /** The total number of bytes. */
  readonly size: number
  /** Changes when the stored bytes are replaced or modified. */
  readonly print: string
}
export interface Listed {
  readonly key: string
  readonly size: number
  readonly modifiedAt: Date
}
/** The headers that a signed URL returns with the bytes. */
export interface PresignedReply {
  readonly contentType: string
  readonly contentDisposition: string
}

export class Unsupported extends Error {}

export class Missing extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`nothing is stored as ${key}`, options)
    this.name = 'Missing'
  }
}
