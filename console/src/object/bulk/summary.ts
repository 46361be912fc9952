/** A change in a few words: its name, or the attributes and operations it consists of. */
import type { BulkChange, ChoiceName, Operation } from './operations.ts'
import { choices } from './operations.ts'
import { texts } from './texts.ts'
import { useAttributes } from '../model.ts'
import { useTexts } from '../../ui/language.tsx'

const nameOf = ({ type, dataType }: Operation) =>
  (Object.keys(choices) as ChoiceName[]).find((name) => {
    const choice: { type: string; dataType?: string } = choices[name]
    return choice.type === type && choice.dataType === dataType
  })

export function useSummary(): (change: BulkChange) => string {
  const t = useTexts(texts)
  const attributes = useAttributes()
  return ({ name, operations = [] }) => {
    if (name) return name
    const parts = operations.map((operation) => {
      const choice = nameOf(operation)
      const verb = choice ? t(choice) : operation.type
      const attribute = operation.attribute && (attributes.get(operation.attribute)?.label ?? operation.attribute)
      return attribute ? `${verb}: ${attribute}` : verb
    })
    return [...new Set(parts)].join(', ')
  }
}
