/** First steps, for an installation without products. */
import { Paper, SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core'
import { IconBox, IconPhotoUp, IconSitemap } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../ui/language.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

const steps = [
  { to: '/model', icon: IconSitemap, title: 'step1', hint: 'step1Hint' },
  { to: '/products', icon: IconBox, title: 'step2', hint: 'step2Hint' },
  { to: '/assets', icon: IconPhotoUp, title: 'step3', hint: 'step3Hint' },
] as const

export function FirstSteps() {
  const t = useTexts(texts)
  return (
    <section aria-label={t('first')}>
      <Title order={2} my="md">
        {t('first')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {steps.map(({ to, icon: Symbol, title, hint }, i) => (
          <Paper key={to} p="md" className={classes.number} renderRoot={(props) => <Link to={to} {...props} />}>
            <ThemeIcon variant="light" size="xl" radius="xl" aria-hidden>
              <Symbol size={22} stroke={1.5} />
            </ThemeIcon>
            <div>
              <Text fw={600}>
                {i + 1}. {t(title)}
              </Text>
              <Text size="sm" c="dimmed">
                {t(hint)}
              </Text>
            </div>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  )
}
