/** The options of a transfer, stored with it: changing a profile later does not change a run. */
import type { ExportRequest, Infer, transferFormats, TransferProfile } from '@kontor/contract'

export type TransferFormat = (typeof transferFormats)[number]
export type Profile = Infer<typeof TransferProfile>

export interface TransferOptions {
  readonly profile?: Profile
  readonly request?: Infer<typeof ExportRequest>
}
