/** The columns of an export: attributes, or whole groups of them, in the order in which they are chosen. */
import { useTexts } from '../ui/language.tsx'
import { commonTexts } from '../ui/common-texts.ts'
import { Picker } from './picker.tsx'

/** Formats with columns. */
export const hasColumns = (format: string): boolean => format === 'csv' || format === 'xlsx' || format === 'zip'

/** The columns as the interface names them. The product itself is always named. */
export const columnsOf = (chosen: readonly string[]): { columns?: string[] } =>
  chosen.length > 0 ? { columns: ['tid', 'name', 'node', ...chosen] } : {}

interface ExportColumnsProps {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

export function ExportColumns({ value, onChange }: ExportColumnsProps) {
  const word = useTexts(commonTexts)
  return (
    <Picker
      kind="exportColumn"
      label={word('columns')}
      description={word('columnsHint')}
      value={value}
      onChange={onChange}
    />
  )
}
