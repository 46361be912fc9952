/** Dominant colours of pictures: a swatch beside the name. */
import { ColorSwatch, Group } from '@mantine/core'
import { palette } from '@kontor/contract'
import { fact } from './items.ts'

type Asset = Parameters<typeof fact>[0]

/** A swatch before the label, if the name is one of the palette. */
export function ColourName({ name, label }: { name: string; label: string }) {
  if (!Object.hasOwn(palette, name)) return label
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <ColorSwatch color={palette[name as keyof typeof palette]} size={14} component="span" aria-hidden />
      {label}
    </Group>
  )
}

/** The colours of a file as they are in it, most of the picture first. */
export const coloursOf = (asset: Asset): string[] =>
  (fact(asset, 'dominantColourValues') ?? '').split(',').filter(Boolean)

export function Colours({ colours }: { colours: readonly string[] }) {
  return (
    <Group gap={6}>
      {colours.map((colour) => (
        <ColorSwatch key={colour} color={colour} size={22} title={colour} aria-label={colour} role="img" />
      ))}
    </Group>
  )
}
