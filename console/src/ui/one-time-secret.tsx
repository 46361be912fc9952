/** A secret that is displayed only once, with a button to copy it. */
import { Alert, Button, Code, CopyButton, Group } from '@mantine/core'
import { useTexts } from './language.tsx'
import { commonTexts } from './common-texts.ts'

export function OneTimeSecret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  const w = useTexts(commonTexts)
  return (
    <Alert
      color="amber"
      title={title}
      role="status"
      m="sm"
      withCloseButton
      closeButtonLabel={w('close')}
      onClose={onClose}
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
