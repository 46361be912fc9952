/** The editor of an amount with a unit: a number, and the unit beside it. */
import { Group, NativeSelect, Text, TextInput, type TextInputProps } from '@mantine/core'
import { partsOfMeasure, unitFinder, type UnitSize } from '@kontor/contract'
import { type ReactNode, useState } from 'react'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { useReaderUnits } from './reader-units.ts'

interface MeasureFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly units: readonly UnitSize[]
  readonly value: string
  readonly onText: (text: string) => void
}

/** A text with a unit can be typed or pasted as a whole: 12.5 kg. */
export function MeasureField({ units, value, onText, ...props }: MeasureFieldProps) {
  const t = useTexts(commonTexts)
  const find = unitFinder(units)
  const parts = partsOfMeasure(value)
  const found = parts && find(parts.unit)
  const [chosen, setChosen] = useState<string>()
  const unit = found?.code ?? chosen ?? unitOf(props.placeholder) ?? units[0]?.code ?? ''
  // While it is typed, a text need not be a number yet.
  const number = found ? parts.number : value.endsWith(` ${unit}`) ? value.slice(0, -unit.length - 1) : value
  const write = (text: string) => {
    const amount = text.trim().replace(',', '.')
    const pasted = partsOfMeasure(amount)
    const known = pasted && find(pasted.unit)
    if (known) onText(`${pasted.number} ${known.code}`)
    else onText(amount === '' ? '' : `${amount} ${unit}`)
  }
  const own = useReaderUnits()(value || (props.placeholder ?? ''), units)
  const name: ReactNode = props.label ?? props['aria-label']
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <TextInput
        {...props}
        flex={1}
        inputMode="decimal"
        value={number}
        onChange={(event) => write(event.currentTarget.value)}
        {...(own !== undefined && {
          rightSection: <Text size="xs" c="dimmed">{`≈ ${own}`}</Text>,
          rightSectionWidth: `${own.length + 4}ch`,
          rightSectionPointerEvents: 'none' as const,
        })}
      />
      <NativeSelect
        aria-label={t('unitOf', { name: typeof name === 'string' ? name : '' })}
        size={props.size ?? 'sm'}
        disabled={props.disabled ?? false}
        w="6.5rem"
        data={units.map(({ code }) => code)}
        value={unit}
        onChange={({ currentTarget }) => {
          setChosen(currentTarget.value)
          if (number !== '') onText(`${number} ${currentTarget.value}`)
        }}
      />
    </Group>
  )
}

const unitOf = (text: string | undefined) => (text === undefined ? undefined : partsOfMeasure(text)?.unit)
