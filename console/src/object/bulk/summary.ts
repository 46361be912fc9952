/** A change in a few words: its name, or the attributes and operations it consists of. */
import { type BulkChange, choiceFor } from './operations.ts'
import { patternTexts } from './pattern-texts.ts'
import { texts } from './texts.ts'
import { useAssetAttributes, useAttributes } from '../model.ts'
import { useTexts } from '../../ui/language.tsx'

export function useSummary(): (change: BulkChange) => string {
  const t = useTexts(texts)
  const p = useTexts(patternTexts)
  const ofProducts = useAttributes()
  const ofFiles = useAssetAttributes(true)
  const words = { rename: p('rename'), linkByName: p('linkByName'), replaceFile: p('replaceFile') } as Record<
    string,
    string
  >
  return ({ name, kind = 'product', operations = [] }) => {
    if (name) return name
    const attributes = kind === 'asset' ? ofFiles : ofProducts
    const parts = operations.map((operation) => {
      const choice = choiceFor(kind, operation)
      const verb = choice ? t(choice) : (words[operation.type] ?? operation.type)
      const attribute = operation.attribute && (attributes.get(operation.attribute)?.label ?? operation.attribute)
      return attribute ? `${verb}: ${attribute}` : verb
    })
    return [...new Set(parts)].join(', ')
  }
}
