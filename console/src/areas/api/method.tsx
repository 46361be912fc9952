/** An HTTP method as a coloured badge. */
import { Badge } from '@mantine/core'

const colours: Readonly<Record<string, string>> = { GET: 'teal', POST: 'harbour', DELETE: 'red' }

export const Method = ({ name }: { name: string }) => (
  <Badge variant="light" radius="sm" color={colours[name] ?? 'grape'}>
    {name}
  </Badge>
)
