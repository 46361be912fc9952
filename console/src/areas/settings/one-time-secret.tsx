/** A secret that is shown this once, to be copied. */
import { Alert, Button, Code, CopyButton, Group } from '@mantine/core'
import { useTexts } from '../../ui/language.tsx'
import { words } from '../../ui/words.ts'

export function Once({ title, secret, onClose }: { title: string; secret: string; onClose?: () => void }) {
  const w = useTexts(words)
  return (
    <Alert
      color="amber"
      title={title}
      role="status"
      {...(onClose && { withCloseButton: true, onClose, closeButtonLabel: w('close') })}
    >
      <Group wrap="nowrap" align="flex-start">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? w('copied') : w('copy')}</Button>}
        </CopyButton>
      </Group>
    </Alert>
  )
}
