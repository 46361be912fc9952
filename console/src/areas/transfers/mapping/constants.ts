/** Constants and templates of a profile: columns that the file does not have. */
import type { Column, Profile } from './use-mapping.ts'

/** Headings with a meaning of their own: an attribute with such a tid needs its level. */
const reserved: ReadonlySet<string> = new Set(['status', 'message', 'ignore', 'deleted'])

/** The heading that means this target. */
export function constantHeading({ field, attr = '', locale, level = 'product', linkType }: Column): string {
  const link = linkType === undefined ? '' : `/${linkType}`
  const prefix = level === 'product' && !reserved.has(attr) ? '' : `${level}:`
  if (field === 'quantity') return `${prefix}relation${link}/quantity`
  return `${prefix}${field === undefined ? attr : `${field}${link}`}${locale === undefined ? '' : `@${locale}`}`
}

/** The profile with the value; without the constant if the value is empty. */
export function withConstant(profile: Profile, heading: string, value: string): Profile {
  const { constants = {}, ...others } = profile
  const { [heading]: _, ...rest } = constants
  const next = value === '' ? rest : { ...constants, [heading]: value }
  return Object.keys(next).length === 0 ? others : { ...others, constants: next }
}

/** Whether the text has a heading in braces. */
export const namesHeading = (template: string): boolean => /\{[^{}]+\}/.test(template)
