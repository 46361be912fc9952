/** The editor of a price: an amount for each currency. */
import { Group, Input, Text, TextInput, type TextInputProps } from '@mantine/core'
import { amountsOfPrice } from '@kontor/contract'

interface PriceFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly currencies: readonly string[]
  readonly value: string
  readonly onText: (text: string) => void
}

export function PriceField({ currencies, value, onText, label, placeholder, error, ...props }: PriceFieldProps) {
  const amounts = amountsIn(value, currencies)
  const inherited = amountsIn(placeholder ?? '', currencies)
  const write = (code: string, text: string) => {
    const next = new Map(amounts).set(code, text.trim().replace(',', '.'))
    onText(currencies.flatMap((one) => (next.get(one) ? [`${next.get(one)} ${one}`] : [])).join('; '))
  }
  const name = typeof label === 'string' ? label : props['aria-label']
  return (
    <Input.Wrapper label={label} error={error} {...(props.size && { size: props.size })}>
      <Group gap={4} wrap="wrap">
        {currencies.map((code, i) => (
          <TextInput
            key={code}
            {...props}
            aria-label={[name, code].filter(Boolean).join(' ')}
            autoFocus={props.autoFocus === true && i === 0}
            w="9rem"
            inputMode="decimal"
            placeholder={inherited.get(code)}
            rightSection={<Text size="xs">{code}</Text>}
            rightSectionWidth="5ch"
            rightSectionPointerEvents="none"
            error={error !== undefined}
            value={amounts.get(code) ?? ''}
            onChange={(event) => write(code, event.currentTarget.value)}
          />
        ))}
      </Group>
    </Input.Wrapper>
  )
}

const amountsIn = (text: string, currencies: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    amountsOfPrice(text).flatMap((amount) => {
      const code = currencies.find((one) => amount.endsWith(` ${one}`))
      return code === undefined ? [] : [[code, amount.slice(0, -code.length - 1)] as const]
    }),
  )
