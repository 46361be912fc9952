/**
 * Forms with a file: multipart/form-data with the named fields and one file as `payload`.
 *
 * The file is passed on as a stream, with the fields that preceded it. If a client sends the fields first, a wrong
 * target is refused before the file is received. If anything fails, received bytes are deleted.
 */
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { type Readable, Writable } from 'node:stream'
import { TooLong } from '../../../../adapters/blobs/writing.ts'
import { parseMediaType } from '../../../../core/http/negotiate.ts'
import { Problem } from '../../../../errors.ts'

export interface Field {
  readonly value: string
  /** The Content-Type of the part; empty if missing. */
  readonly mediaType: string
}
type FormFields = ReadonlyMap<string, Field>
interface Payload {
  /** The file name the client sent, without folders. */
  readonly name: string
  readonly stream: Readable
}

/** The interface needs two fields and a file. More is an attack or a mistake. */
const limits = { fields: 4, files: 1, parts: 6, headerPairs: 32, fieldSize: 64 * 1024, fieldNameSize: 100 }
/** The maximum of RFC 2046. */
const maxBoundary = 70

/** The result of receiving the file. It is dropped if the rest of the form is invalid. */
interface Receipt {
  drop(): Promise<void>
}
type Receive<T extends Receipt> = (payload: Payload, fields: FormFields) => Promise<T>

export async function readForm<T extends Receipt>(
  request: FastifyRequest,
  names: readonly string[],
  maxBytes: number,
  receive: Receive<T>,
): Promise<{ fields: FormFields; fileName: string; staged: T }> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > maxBytes + limits.parts * limits.fieldSize) throw tooLarge(maxBytes)
  const form = new Form(names, receive)
  const parser = form.parse(contentTypeOf(request))
  try {
    await feed(request, parser, form)
    const { fields, fileName } = form
    if (fileName === undefined)
      throw new Problem('invalid', 'the form has no part payload; send the file under this name')
    return { fields, fileName, staged: (await form.receiving)! }
  } catch (error) {
    await form.abandon(error as Error)
    throw error instanceof TooLong ? tooLarge(maxBytes, error) : error
  }
}

const tooLarge = (maxBytes: number, cause?: Error) =>
  new Problem('tooLarge', `the file is larger than ${maxBytes} bytes; send it in chunks`, { cause })

function contentTypeOf({ headers }: FastifyRequest): string {
  const header = headers['content-type'] ?? ''
  const media = parseMediaType(header)
  const boundary = media?.parameters.get('boundary') ?? ''
  if (media?.type !== 'multipart/form-data') throw new Problem('mediaType', 'send the file as multipart/form-data')
  if (boundary === '' || boundary.length > maxBoundary)
    throw new Problem('invalid', `Content-Type: the boundary must have 1 to ${maxBoundary} characters`)
  return header
}

/** Resolves when the form has been read and its file received. Rejects as soon as the form is known to be invalid. */
function feed({ raw }: FastifyRequest, parser: BusboyInstance, form: Form<Receipt>): Promise<void> {
  const input = guarded(parser)
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      // At once: if the end of the body still reached the parser, it would emit errors of parts that nobody listens to.
      raw.unpipe(input)
      input.destroy()
      reject(error)
    }
    const brokenOff = () => fail(new Problem('invalid', 'the form ended early'))
    const unreadable = (cause: Error) =>
      fail(new Problem('invalid', 'the form cannot be read; check its boundary and its parts', { cause }))
    form.onFailure = fail
    parser.on('finish', () => void (form.receiving ?? Promise.resolve()).then(() => resolve(), reject))
    parser.on('error', (error) => unreadable(error as Error))
    input.on('error', unreadable)
    raw.on('error', brokenOff).on('close', () => raw.readableEnded || brokenOff())
    raw.pipe(input)
  })
}

/**
 * Passes one piece at a time to the parser. The parser throws on some malformed parts. In a handler of the request's own
 * events, that would be an uncaught exception; here it is an error of this stream.
 */
const guarded = (parser: BusboyInstance) =>
  new Writable({
    write(piece: Buffer, _encoding, done) {
      try {
        parser.write(piece, done)
      } catch (error) {
        done(error as Error)
      }
    },
    final(done) {
      parser.end()
      done()
    },
  })

/** The parser reads Content-Type by rules of its own and throws if it finds no boundary. */
function createParser(options: ConstructorParameters<typeof Busboy>[0]): BusboyInstance {
  try {
    return new Busboy(options)
  } catch (cause) {
    throw new Problem('invalid', 'Content-Type: the boundary cannot be read; send boundary=value', { cause })
  }
}

/** The state of a form while it is parsed. */
class Form<T extends Receipt> {
  readonly fields = new Map<string, Field>()
  fileName: string | undefined
  receiving: Promise<T> | undefined
  onFailure: (error: Error) => void = () => {}
  private stream: Readable | undefined
  private readonly names: readonly string[]
  private readonly receive: Receive<T>

  constructor(names: readonly string[], receive: Receive<T>) {
    this.names = names
    this.receive = receive
  }

  parse(contentType: string): BusboyInstance {
    const headers = { 'content-type': contentType }
    const parser = createParser({ headers, limits, isPartAFile: (name) => name === 'payload' })
    parser.on('field', (name, value, nameCut, valueCut, _encoding, mediaType) => {
      if (nameCut || !this.names.includes(name)) return this.refuse(`the form has a part ${name} that is not expected`)
      if (this.fields.has(name)) return this.refuse(`the form has the part ${name} twice`)
      if (valueCut) return this.refuse(`the part ${name} is longer than ${limits.fieldSize} bytes`)
      this.fields.set(name, { value, mediaType })
    })
    parser.on('file', (_name, stream, name) => {
      const fileName = name ?? '' // also for a part without a file name
      // Not lost: the parser reports a form that ends within its file, and `receive` rejects for all other reasons.
      this.stream = stream.on('error', () => {})
      this.fileName = fileName
      this.receiving = this.receive({ name: fileName, stream }, this.fields)
      this.receiving.catch((error: Error) => this.onFailure(error))
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      parser.on(limit, () => this.refuse('the form has too many parts'))
    return parser
  }

  /** Stops receiving and deletes the received bytes. */
  async abandon(reason: Error): Promise<void> {
    this.stream?.destroy(reason)
    const received = await this.receiving?.catch(() => undefined)
    await received?.drop()
  }

  private refuse(message: string): void {
    this.onFailure(new Problem('invalid', message))
  }
}
