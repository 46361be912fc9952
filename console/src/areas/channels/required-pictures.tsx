/** The pictures that a channel requires: rows of a role and a number. */
import { ActionIcon, Autocomplete, Button, Fieldset, Group, NumberInput, Stack, Text } from '@mantine/core'
import type { Infer, RequiredPicture } from '@kontor/contract'
import { IconPlus, IconX } from '@tabler/icons-react'
import { usePictureRoles } from '../../object/picture-roles.ts'
import { commonTexts } from '../../ui/common-texts.ts'
import { useTexts } from '../../ui/language.tsx'
import { readinessTexts } from './readiness-texts.ts'

export type Picture = Infer<typeof RequiredPicture>

/** Pictures in words, such as "2 × front". */
export function usePictureWords() {
  const t = useTexts(readinessTexts)
  const { nameOf } = usePictureRoles()
  return (pictures: readonly Picture[] | undefined) =>
    (pictures ?? [])
      .map(({ role, count = 1 }) => `${count} × ${role === undefined ? t('anyRole') : nameOf(role)}`)
      .join(', ') || t('noPictures')
}

interface RequiredPicturesProps {
  readonly value: readonly Picture[]
  readonly inherited: readonly Picture[] | undefined
  readonly onChange: (value: readonly Picture[]) => void
}

export function RequiredPictures({ value, inherited, onChange }: RequiredPicturesProps) {
  const t = useTexts(readinessTexts)
  const word = useTexts(commonTexts)
  const words = usePictureWords()
  const { names, nameOf, roleOf } = usePictureRoles()
  const put = (index: number, changed: Picture) => onChange(value.with(index, { ...value[index], ...changed }))
  return (
    <Fieldset legend={t('requiredPictures')}>
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {t('picturesHint', { inherited: words(inherited) })}
        </Text>
        {value.map(({ role = '', count = 1 }, index) => (
          <Group key={index} gap="xs" wrap="nowrap">
            <Autocomplete
              flex={1}
              aria-label={`${t('pictureRole')} ${index + 1}`}
              placeholder={t('anyRole')}
              data={names}
              value={nameOf(role)}
              onChange={(text) => put(index, { role: roleOf(text) })}
            />
            <NumberInput
              w={90}
              aria-label={`${t('pictureCount')} ${index + 1}`}
              min={1}
              max={100}
              value={count}
              onChange={(number) => put(index, { count: Number(number) || 1 })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${word('remove')} ${nameOf(role) || t('anyRole')}`}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...value, { count: 1 }])}
          >
            {t('addPicture')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

/** The message: a role without a text is any role. */
export const toPictures = (pictures: readonly Picture[]): Picture[] =>
  pictures.map(({ role = '', count = 1 }) => ({ ...(role.trim() && { role: role.trim() }), count }))
