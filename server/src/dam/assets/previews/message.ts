/** The messages between the server and the preview workers. */
import type { PreviewFormat, SizedFormat } from '../../files.sql.ts'
import type { Recipe } from '../../renditions/recipe.ts'
import type { Sandbox } from './sandbox.ts'

/** The code of a worker that ends because it needs too much memory. */
export const exitForMemory = 70

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
  /** Asks only how the picture looks, or for the text of the document. */
  readonly isAnalysis?: true
  /** The second of a film whose still is taken. Default: one that shows much. */
  readonly second?: number
  /** Asks for a copy of a film or a sound that browsers play. */
  readonly copying?: Copying
}
/** The limits of a copy. */
export interface Copying {
  readonly maxSeconds: number
  readonly maxBytes: number
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
  /** Of ffmpeg: reads facts. */
  readonly ffprobe?: string
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
  readonly look?: Look
  /** The waveform of a sound, in percent. */
  readonly peaks?: readonly number[]
  /** The text of each page of a document. */
  readonly pages?: readonly string[]
  /** The picture that the order asked for. */
  readonly drawn?: Drawn
  /** The reason if previews could not be made, or the analysis is not complete. */
  readonly problem?: string
}
/** The facts in a film or a sound. */
export interface MediaFacts {
  /** In seconds. */
  readonly duration?: number
  readonly bitRate?: number
  readonly videoCodec?: string
  readonly pixelFormat?: string
  readonly frameRate?: number
  /** Degrees clockwise by which players turn it. Width and height are those of the turned film. */
  readonly rotation?: number
  readonly audioCodec?: string
  readonly channels?: number
  readonly sampleRate?: number
  readonly title?: string
  readonly artist?: string
}
/** How a picture looks. */
export interface Look {
  /** Names of the palette with the colour itself, most of the picture first. */
  readonly colours: readonly { readonly name: string; readonly hex: string }[]
  /** The perceptual hash; absent for a picture without structure. */
  readonly hash?: string
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
/** How much of a copy is done, in percent. */
export interface Progress {
  readonly number: number
  readonly percent: number
}
export interface MadePreview extends Box {
  readonly format: PreviewFormat
  readonly file: string
  readonly mime: string
}
