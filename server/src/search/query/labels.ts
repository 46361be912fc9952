/** Labels of fields and values in the requested language. */
import type { DocumentField, Labels } from '../../core/outbox/documents.ts'

/** The requested locale, else one of the same language, else the label without a locale. */
function labelIn(labels: Labels, locale: string | undefined, fallback: string): string {
  const near = Object.keys(labels).find((each) => locale !== undefined && each.slice(0, 2) === locale.slice(0, 2))
  return labels[locale ?? ''] ?? labels[near ?? ''] ?? labels[''] ?? Object.values(labels)[0] ?? fallback
}

export const fieldLabel = ({ name, label }: DocumentField, locale: string | undefined) => labelIn(label, locale, name)

/** For a path without a label, the name of its last segment. */
export function valueLabel({ values, path }: DocumentField, value: string, locale: string | undefined): string {
  const labels = values?.get(value)
  if (labels) return labelIn(labels, locale, value)
  return path ? value.slice(value.lastIndexOf('/') + 1) : value
}
