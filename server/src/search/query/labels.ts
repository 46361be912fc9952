/** What people call fields and values, in the language they asked for. */
import type { DocumentField, Labels } from '../../core/outbox/documents.ts'

/** The locale asked for, else one of its language, else what is said for all others. */
export function labelIn(labels: Labels, locale: string | undefined, fallback: string): string {
  const near = Object.keys(labels).find((each) => locale !== undefined && each.slice(0, 2) === locale.slice(0, 2))
  return labels[locale ?? ''] ?? labels[near ?? ''] ?? labels[''] ?? Object.values(labels)[0] ?? fallback
}

export const fieldLabel = ({ name, label }: DocumentField, locale: string | undefined) => labelIn(label, locale, name)

/** Of a path, the name of its last step. */
export function valueLabel({ values, path }: DocumentField, value: string, locale: string | undefined): string {
  const labels = values?.get(value)
  if (labels) return labelIn(labels, locale, value)
  return path ? value.slice(value.lastIndexOf('/') + 1) : value
}
