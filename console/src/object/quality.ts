/** Faults of quality in the language of the reader. */
import type { Infer, QualityFault, qualityChecks } from '@kontor/contract'
import { useTexts } from '../ui/language.tsx'
import { useLocaleName } from './locales.ts'
import { useAttributes } from './model.ts'
import { qualityTexts } from './quality-texts.ts'

export type CheckName = (typeof qualityChecks)[number]
type Fault = Infer<typeof QualityFault>

export function useFaultText() {
  const t = useTexts(qualityTexts)
  const attributes = useAttributes()
  const localeName = useLocaleName()
  return (check: CheckName, { attr = '', value = '', expected = '', others = [] }: Fault): string => {
    const words = {
      attr: attributes.get(attr)?.label ?? attr,
      value: check === 'identicalTexts' ? localeName(value) : value,
      expected,
      others: others.join(', '),
    }
    if (check === 'forbiddenWords' && expected) return t('forbiddenWordsUseFault', words)
    if (check === 'mainPicture' && expected) return t('mainPictureRoleFault', words)
    return t(`${check}Fault`, words)
  }
}
