/** The way back to all assets, before the title of a page. */
import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'

export function BackToAssets() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  return (
    <Button
      renderRoot={(props) => <Link to="/assets" {...props} />}
      variant="subtle"
      px="xs"
      aria-label={`${w('back')}: ${t('title')}`}
    >
      <IconArrowLeft size={18} />
    </Button>
  )
}
