/** The messages between the server and the preview workers. */
import type { PreviewFormat, SizedFormat } from '../../files.sql.ts'
import type { Recipe } from '../../renditions/recipe.ts'
import type { Sandbox } from './sandbox.ts'

export interface Order {
  readonly number: number
  readonly file: string
  readonly mime: string
  readonly name: string
  /** An output folder for this order only. */
  readonly folder: string
  readonly boxes: Readonly<Record<SizedFormat, Box>>
  readonly maxPixels: number
  /** The number of document pages to render. */
  readonly pages: number
  /** Limits the largest preview by dots per inch instead of by the size of its box. */
  readonly resolution?: number
  readonly tools: Tools
  readonly sandbox: Sandbox
  /** Asks for one picture by this recipe instead of the previews. */
  readonly drawing?: Drawing
}
/** A recipe with the files that it needs besides the picture. */
export interface Drawing {
  readonly recipe: Recipe
  readonly iccFile?: string
  readonly watermarkFile?: string
}
/** The largest width and height. */
export interface Box {
  readonly width: number
  readonly height: number
}
/** The paths of installed external programs. */
export interface Tools {
  readonly ffmpeg?: string
  /** From libheif. */
  readonly heif?: string
  readonly soffice?: string
}

export interface Made {
  readonly number: number
  readonly width?: number
  readonly height?: number
  readonly embedded: Readonly<Record<string, unknown>>
  readonly previews: readonly MadePreview[]
  /** The picture that the order asked for. */
  readonly drawn?: Drawn
  /** The reason if previews could not be made. */
  readonly problem?: string
}
export interface Drawn extends Box {
  readonly file: string
  readonly mime: string
}
/** A thumbnail that is ready before the rest of an order. */
export interface FirstMade {
  readonly number: number
  readonly thumbnail: MadePreview
}
export interface MadePreview extends Box {
  readonly format: PreviewFormat
  readonly file: string
  readonly mime: string
}
