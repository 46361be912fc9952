/** What the server and the processes that make previews say to each other. */
import type { PreviewFormat, SizedFormat } from '../../files.sql.ts'

export interface Order {
  readonly number: number
  readonly file: string
  readonly mime: string
  readonly name: string
  /** A folder for what is made, of this order alone. */
  readonly folder: string
  readonly boxes: Readonly<Record<SizedFormat, Box>>
  readonly maxPixels: number
  /** How many pages of a document become pictures. */
  readonly pages: number
  /** Dots per inch that bound the largest preview, instead of the size of its box alone. */
  readonly resolution?: number
  readonly tools: Tools
}
/** The largest width and height. */
export interface Box {
  readonly width: number
  readonly height: number
}
/** Programs of this machine, where it has them. */
export interface Tools {
  readonly ffmpeg?: string
  /** Of libheif. */
  readonly heif?: string
  readonly soffice?: string
}

export interface Made {
  readonly number: number
  readonly width?: number
  readonly height?: number
  readonly embedded: Readonly<Record<string, unknown>>
  readonly previews: readonly MadePreview[]
  /** Why there are no previews although there should be. */
  readonly problem?: string
}
export interface MadePreview extends Box {
  readonly format: PreviewFormat
  readonly file: string
  readonly mime: string
}
