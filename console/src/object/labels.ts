/** Labels of contract fields: the area's text of the same key, else the common word, else the field's name made readable. */
import { useCallback } from 'react'
import { type Texts, useTexts } from '../ui/language.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import { humanise } from './fields.ts'

export type LabelOf = (name: string) => string

export function useLabels<K extends string>(texts: Texts<K>): LabelOf {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  return useCallback(
    (name) => {
      if (hasKey(texts.en, name)) return t(name)
      return hasKey(commonTexts.en, name) ? word(name) : humanise(name)
    },
    [texts, t, word],
  )
}

export const hasKey = <K extends string>(texts: Readonly<Record<K, unknown>>, name: string): name is K =>
  Object.hasOwn(texts, name)
