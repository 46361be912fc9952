/** Chooses a rendition profile; nothing if there is none to choose. */
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useClient } from './client.tsx'

interface RenditionSelectProps {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly value: string | null
  readonly onChange: (tid: string | null) => void
}

export function useRenditionProfiles() {
  const { dam } = useClient()
  const profiles = useQuery({
    queryKey: ['rendition-profiles'],
    queryFn: async () => (await dam.listRenditionProfiles()).profiles ?? [],
  })
  return profiles.data ?? []
}

export function RenditionSelect(props: RenditionSelectProps) {
  const profiles = useRenditionProfiles()
  if (profiles.length === 0) return null
  return (
    <Select
      {...props}
      clearable={props.placeholder !== undefined}
      data={profiles.map(({ tid: value = '', name: label = value }) => ({ value, label }))}
    />
  )
}
