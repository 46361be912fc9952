/**
 * The quality of the product in each of its channels, in the language shown and in the worst of the others. A score lists the checks that failed, and each fault leads
 * to the place where it is corrected.
 */
import { Anchor, List, Stack, Text } from '@mantine/core'
import type { Infer, LocaleQuality, QualityFault, QualityPlace } from '@kontor/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../../../object/client.tsx'
import { linkedOf } from '../../../../object/links.ts'
import { useContentLocale, useLocaleName } from '../../../../object/locales.ts'
import { useNames } from '../../../../object/picker.tsx'
import { type CheckName, useFaultText } from '../../../../object/quality.ts'
import { qualityTexts } from '../../../../object/quality-texts.ts'
import { useTexts } from '../../../../ui/language.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import type { ProductMessage } from '../product.ts'
import { Section } from './section.tsx'
import classes from './face.module.css'

type Place = Infer<typeof QualityPlace>

export function QualityTable({ product }: { readonly product: ProductMessage }) {
  const t = useTexts(qualityTexts)
  const { cm } = useClient()
  const { tid = '' } = product
  const localeName = useLocaleName()
  const [contentLocale] = useContentLocale()
  const channels = [...new Set(linkedOf(product, 'productToProject', 'projectTid').map((one) => one.tid))]
  const [chosen, setChosen] = useState<{ readonly channel: string; readonly locale: string }>()
  const { data: places = [] } = useQuery({
    queryKey: ['completeness', 'quality', tid, channels],
    queryFn: async () => (await cm.retrieveQuality({ body: { productTids: [tid] } })).products?.[0]?.places ?? [],
  })
  const nameOf = useNames(
    'project',
    places.map(({ channelTid = '' }) => channelTid),
  )
  if (places.length === 0) return null
  const cell = ({ channelTid = '' }: Place, found: LocaleScore | undefined) =>
    found === undefined ? (
      <Text span size="xs" c="dimmed" title={t('noScore')}>
        –
      </Text>
    ) : (
      <ScoreButton
        {...found}
        channel={nameOf(channelTid)}
        isChosen={chosen?.channel === channelTid && chosen.locale === found.locale}
        onChoose={() => setChosen({ channel: channelTid, locale: found.locale })}
      />
    )
  const place = places.find(({ channelTid }) => channelTid === chosen?.channel)
  const selected = place?.locales?.find(({ locale }) => locale === chosen?.locale)
  return (
    <Section title={t('quality')}>
      <table className={classes.readiness}>
        <thead>
          <tr>
            <th scope="col">{t('channel')}</th>
            <th scope="col">{localeName(contentLocale)}</th>
            <th scope="col" title={t('lowestOtherHint')}>
              {t('lowestOther')}
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((one) => {
            const scores = scoresOf(one)
            const others = scores.filter(({ locale, score }) => locale !== contentLocale && score < 100)
            return (
              <tr key={one.channelTid}>
                <th scope="row">{nameOf(one.channelTid ?? '')}</th>
                <td>
                  {cell(
                    one,
                    scores.find(({ locale }) => locale === contentLocale),
                  )}
                </td>
                <td>{cell(one, others.toSorted((a, b) => a.score - b.score)[0])}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {selected && <Faults quality={selected} root={tid} />}
    </Section>
  )
}

interface LocaleScore {
  readonly locale: string
  readonly score: number
}
const scoresOf = ({ locales = [] }: Place): LocaleScore[] =>
  locales.flatMap(({ locale, score }) => (locale === undefined || score === undefined ? [] : [{ locale, score }]))

interface ScoreButtonProps extends LocaleScore {
  readonly channel: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}
function ScoreButton({ locale, score, channel, isChosen, onChoose }: ScoreButtonProps) {
  const t = useTexts(qualityTexts)
  const localeName = useLocaleName()
  return (
    <button
      type="button"
      className={classes.cell}
      data-complete={score === 100 || undefined}
      aria-pressed={isChosen}
      title={localeName(locale)}
      aria-label={t('cell', { score, column: channel, locale: localeName(locale) })}
      onClick={onChoose}
    >
      {score}
    </button>
  )
}

function Faults({ quality, root }: { readonly quality: Infer<typeof LocaleQuality>; readonly root: string }) {
  const t = useTexts(qualityTexts)
  const [, change] = useUrlState()
  const textOf = useFaultText()
  const { checks = [], locale } = quality
  const failed = checks.filter(({ passed }) => !passed)
  if (failed.length === 0)
    return (
      <Text size="xs" c="dimmed" mt={6}>
        {t('allPassed')}
      </Text>
    )
  const goTo = ({ attr }: Infer<typeof QualityFault>) =>
    attr === undefined
      ? change({ tab: 'links' }, true)
      : change({ tab: undefined, item: `p:${root}`, missing: undefined, loc: locale, at: attr }, true)
  const isHere = (check: CheckName, fault: Infer<typeof QualityFault>) =>
    check === 'mainPicture' || (fault.attr !== undefined && fault.dataType === 'product')
  return (
    <Stack gap={4} mt={6}>
      {failed.map(({ check = 'length', attr, faults = [] }) => (
        <div key={`${check} ${attr}`}>
          <Text size="sm" fw={600}>
            {t(check)}
          </Text>
          <List size="sm">
            {faults.map((fault, i) => (
              <List.Item key={i}>
                {isHere(check, fault) ? (
                  <Anchor component="button" size="sm" ta="left" onClick={() => goTo(fault)}>
                    {textOf(check, fault)}
                  </Anchor>
                ) : (
                  textOf(check, fault)
                )}
              </List.Item>
            ))}
          </List>
        </div>
      ))}
    </Stack>
  )
}
