/** The state of a process, in words and colour. */
import { Badge } from '@mantine/core'
import type { Infer, WorkflowProcess } from '@kontor/contract'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

const colors: Record<string, string> = { running: 'harbour', finished: 'teal', cancelled: 'gray', failed: 'red' }

export function State({ process: { state = 'running' } }: { process: Infer<typeof WorkflowProcess> }) {
  const t = useTexts(texts)
  return (
    <Badge variant="dot" tt="none" color={colors[state] ?? 'gray'}>
      {t(state)}
    </Badge>
  )
}
