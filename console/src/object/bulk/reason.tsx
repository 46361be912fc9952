/** Why an object was refused, with the products that its name may mean. */
import { useTexts } from '../../ui/language.tsx'
import { storedText } from '../stored-text.ts'
import type { BulkItem } from './operations.ts'
import { patternTexts } from './pattern-texts.ts'

export function Reason({ item: { reason = '', matched, candidates = [] } }: { readonly item: BulkItem }) {
  const t = useTexts(patternTexts)
  const names = candidates.map(({ tid = '', name }) => (name && name !== tid ? `${name} (${tid})` : tid)).join(', ')
  return [storedText(reason), matched && t('matched', { text: matched }), names && t('candidates', { names })]
    .filter(Boolean)
    .join(' ')
}
