/** The options of a transfer, stored with it: changing a profile later does not change a run. */
import type {
  ExportRequest,
  Infer,
  transferEncodings,
  transferFormats,
  transferLayouts,
  TransferProfile,
} from '@kontor/contract'

/** Content of the file that is not imported, and how often it occurs. */
export interface LayoutNote {
  readonly place: string
  readonly reason: string
  readonly count: number
}

export type TransferFormat = (typeof transferFormats)[number]
export type Encoding = (typeof transferEncodings)[number]
export type LayoutName = (typeof transferLayouts)[number]
export type Profile = Infer<typeof TransferProfile>

export interface TransferOptions {
  readonly profile?: Profile
  /** The encoding that the call gave. */
  readonly givenEncoding?: Encoding
  /** The encoding in which a CSV is read; absent until its bytes have been seen. */
  readonly encoding?: Encoding
  /** The layout that the call gave. */
  readonly givenLayout?: LayoutName
  /** The layout in which the file is read; absent until its beginning has been seen. */
  readonly layout?: LayoutName
  /** Whether attributes and nodes that the file needs are created. */
  readonly createModel?: boolean
  /** Content of the file that is not imported; absent until the file has been read. */
  readonly notes?: readonly LayoutNote[]
  readonly request?: Infer<typeof ExportRequest>
  /** Of a zip: the earliest end of the usage rights of its files, in seconds since 1970. */
  readonly usableUntil?: number
}

/** Whether a file that was made contains one that must not be used any more. */
export const hasEnded = ({ usableUntil = Infinity }: TransferOptions) => usableUntil * 1000 <= Date.now()

/** The call decides, then the profile. */
export const givenEncoding = ({ givenEncoding: given, profile }: TransferOptions): Encoding | undefined =>
  given ?? profile?.encoding

/** The call decides, then the profile. */
export const givenLayout = ({ givenLayout: given, request, profile }: TransferOptions): LayoutName | undefined =>
  given ?? request?.layout ?? profile?.layout
