/** Storages of files: their names, and how previews are made of what lies in them. */
import { Button, Group, Modal, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Infer, type Rnc, schemaVersion } from '@kontor/contract'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { fact, toItems } from '../../object/items.ts'
import { ObjectList } from '../../object/list.tsx'
import { settled } from '../../object/settle.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { words } from '../../ui/words.ts'
import { useAttempt } from './attempt.ts'
import { texts } from './texts.ts'

type Storage = Infer<typeof Rnc>
const isOn = (storage: Storage, key: string) => fact(storage, key) === 'true'

export function StoragesPart() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { dam } = useClient()
  const [edited, setEdited] = useState<Storage>()
  const storages = useQuery({
    queryKey: ['settings', 'storages'],
    queryFn: async () => (await dam.retrieveRncs()).rncs?.rnc ?? [],
  })
  const yesNo = (is: boolean) => w(is ? 'yes' : 'no')
  return (
    <>
      <Loaded query={storages}>
        {(all) => (
          <ObjectList
            label={t('storages')}
            rows={all}
            keyOf={({ tid = '' }) => tid}
            onOpen={setEdited}
            tools={<Button onClick={() => setEdited({})}>{t('newStorage')}</Button>}
            columns={[
              { id: 'tid', title: 'tid', width: '8rem', text: ({ tid = '' }) => tid },
              { id: 'name', title: w('name'), width: 'minmax(10rem, 2fr)', text: ({ name = '' }) => name },
              {
                id: 'previews',
                title: t('makesPreviews'),
                width: '9rem',
                text: (storage) => yesNo(!isOn(storage, 'rncDisablePreviewGeneration')),
              },
              {
                id: 'size',
                title: t('largestPreview'),
                width: '9rem',
                text: (storage) => fact(storage, 'rncOriginalMaxSize') ?? '',
              },
              {
                id: 'pages',
                title: t('allPages'),
                width: '9rem',
                text: (storage) => yesNo(!isOn(storage, 'rncPdfFirstPagePreviewOnly')),
              },
              {
                id: 'edit',
                title: w('actions'),
                width: '8rem',
                text: () => '',
                show: (storage) => (
                  <Button size="compact-sm" variant="light" onClick={() => setEdited(storage)}>
                    {w('edit')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {edited && <StorageForm storage={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function StorageForm({ storage, onClose }: { storage: Storage; onClose: () => void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { dam } = useClient()
  const attempt = useAttempt()
  const isNew = storage.tid === undefined
  const [tid, setTid] = useState(storage.tid ?? '')
  const [name, setName] = useState(storage.name ?? '')
  const [facts, setFacts] = useState({
    rncDisablePreviewGeneration: fact(storage, 'rncDisablePreviewGeneration') ?? 'false',
    rncOriginalMaxSize: fact(storage, 'rncOriginalMaxSize') ?? '1280x1024',
    rncUseResolution: fact(storage, 'rncUseResolution') ?? 'false',
    rncOriginalResolution: fact(storage, 'rncOriginalResolution') ?? '72',
    rncPdfFirstPagePreviewOnly: fact(storage, 'rncPdfFirstPagePreviewOnly') ?? 'true',
  })
  const set = (key: keyof typeof facts) => (value: string) => setFacts({ ...facts, [key]: value })
  /** `on` is the value that turns it on: some settings say what is not done. */
  const toggle = (key: keyof typeof facts, label: string, on: 'true' | 'false') => (
    <Switch
      label={label}
      checked={facts[key] === on}
      onChange={({ currentTarget }) => set(key)(String(currentTarget.checked === (on === 'true')))}
    />
  )
  const save = async () => {
    const rnc = [{ tid: tid.trim(), name: name.trim() || tid.trim(), meta: { itm: toItems(facts) } }]
    const saving = dam
      .persistRncs({ body: { schemaVersion, rncs: { rnc } } })
      .then(({ responses }) => responses?.response ?? [])
    if (await attempt(settled(saving))) onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={isNew ? t('newStorage') : storage.name}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Stack>
        <TextInput
          label="tid"
          description={t('storageTid')}
          value={tid}
          disabled={!isNew}
          onChange={({ currentTarget }) => setTid(currentTarget.value)}
        />
        <TextInput label={w('name')} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
        {toggle('rncDisablePreviewGeneration', t('makesPreviews'), 'false')}
        {toggle('rncPdfFirstPagePreviewOnly', t('allPages'), 'false')}
        <TextInput
          label={t('largestPreview')}
          value={facts.rncOriginalMaxSize}
          onChange={({ currentTarget }) => set('rncOriginalMaxSize')(currentTarget.value)}
        />
        {toggle('rncUseResolution', t('useResolution'), 'true')}
        <NumberInput
          label={t('resolution')}
          min={72}
          max={300}
          disabled={facts.rncUseResolution !== 'true'}
          value={Number(facts.rncOriginalResolution)}
          onChange={(value) => set('rncOriginalResolution')(String(value))}
        />
        <Group justify="flex-end">
          <Button disabled={tid.trim() === ''} onClick={() => void save()}>
            {w('save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
