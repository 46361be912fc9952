/** An attribute definition as a row of the database. */
import type { AttrDefinition, AttributeType, Infer } from '@kontor/contract'

/** A text per locale; the one under '' has none. */
export type Names = Readonly<Record<string, string>>
/** The fields of a definition's message that have no column of their own. */
export type DefinitionMessage = Omit<Infer<typeof AttrDefinition>, 'id' | 'tid' | 'type' | 'localized'>

/** The author and time of the first and the last change; times in ISO 8601 as PostgreSQL writes it. */
export interface Stamps {
  readonly createdAt: string
  readonly createdBy: string
  readonly modifiedAt: string
  readonly modifiedBy: string
}
/** The version of the model that wrote a row; absent until the row is stored. */
export interface Versioned {
  readonly version?: number
}
export interface DefinitionRow extends Versioned {
  readonly id: number
  readonly tid: string
  readonly type: AttributeType
  readonly localized: boolean
  readonly multi: boolean
  readonly definition: DefinitionMessage
  /** Absent until the row is stored. */
  readonly stamps?: Stamps
}
