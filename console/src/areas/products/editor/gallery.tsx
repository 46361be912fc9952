/**
 * The pictures and files of a product: in order, the first one being the main picture, each with a role. Files can be dropped to
 * upload them; pictures can be dragged to another place, or moved with buttons.
 */
import {
  ActionIcon,
  Anchor,
  Autocomplete,
  Badge,
  Button,
  Card,
  FileButton,
  Group,
  Menu,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import {
  IconArrowLeft,
  IconArrowRight,
  IconDots,
  IconLinkOff,
  IconPhotoPlus,
  IconStar,
  IconUpload,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type DragEvent, useState } from 'react'
import { AssetPicker } from '../../../object/asset-picker.tsx'
import { usePictureRoles } from '../../../object/picture-roles.ts'
import { type Picture, Thumbnail, usePictures } from '../../../object/pictures.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { moved, picturesOf, type ProductPicture } from './pictures.ts'
import type { Item } from './product.ts'
import { texts } from './texts.ts'
import { UploadPictures } from './upload-pictures.tsx'
import { useLinkChanges } from './use-links.ts'
import classes from './editor.module.css'

const dragType = 'application/x-kontor-picture'

export function Gallery({ item, rootTid, mayLink }: { item: Item; rootTid: string; mayLink: boolean }) {
  const t = useTexts(texts)
  const links = useLinkChanges(rootTid)
  const [isPicking, setPicking] = useState(false)
  const [files, setFiles] = useState<readonly File[]>([])
  const [isOver, setOver] = useState(false)
  const all = picturesOf(item.message)
  const pictures = usePictures([all.map(({ tid }) => tid)])
  const order = (from: number, to: number) => void links.orderPictures(item.tid, moved(all, from, to))
  const add = (tids: readonly string[]) => {
    const known = new Set(all.map(({ tid }) => tid))
    const fresh = tids.filter((tid) => !known.has(tid))
    if (fresh.length > 0) void links.addPictures(item.tid, fresh, all.length)
  }
  const dropFiles = (event: DragEvent) => {
    setOver(false)
    const dropped = [...event.dataTransfer.files]
    if (!mayLink || dropped.length === 0) return
    event.preventDefault()
    setFiles(dropped)
  }
  return (
    <section
      aria-label={t('pictures')}
      className={classes.gallery}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!mayLink || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropFiles}
    >
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('pictures')}</Title>
        {mayLink && (
          <Group gap="xs">
            <Button variant="default" leftSection={<IconPhotoPlus size={16} />} onClick={() => setPicking(true)}>
              {t('linkAsset')}
            </Button>
            <FileButton multiple onChange={setFiles}>
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={16} />}>
                  {t('upload')}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
      </Group>
      {all.length === 0 && (
        <Text c="dimmed" size="sm">
          {mayLink ? t('dropHint') : t('noLinksHint')}
        </Text>
      )}
      <div className={classes.cards}>
        {all.map((picture, i) => (
          <PictureCard
            key={`${picture.tid} ${picture.linkType}`}
            picture={picture}
            known={pictures.get(picture.tid)}
            index={i}
            count={all.length}
            mayLink={mayLink}
            onMove={(to) => order(i, to)}
            onDropPicture={(from) => order(from, i)}
            onRole={(role) => void links.setRole(item.tid, picture, role, i)}
            onRemove={(name) => void links.removePicture(item.tid, picture, i, name)}
          />
        ))}
      </div>
      {isPicking && <AssetPicker onClose={() => setPicking(false)} onChoose={add} />}
      {files.length > 0 && (
        <UploadPictures files={files} near={all[0]?.tid} onDone={add} onClose={() => setFiles([])} />
      )}
    </section>
  )
}

interface PictureCardProps {
  readonly picture: ProductPicture
  readonly known: Picture | undefined
  readonly index: number
  readonly count: number
  readonly mayLink: boolean
  readonly onMove: (to: number) => void
  readonly onDropPicture: (from: number) => void
  readonly onRole: (role: string) => void
  readonly onRemove: (name: string) => void
}

function PictureCard({
  picture,
  known,
  index,
  count,
  mayLink,
  onMove,
  onDropPicture,
  onRole,
  onRemove,
}: PictureCardProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const name = known?.name ?? word('loading')
  return (
    <Card
      withBorder
      padding="xs"
      component="article"
      aria-label={name}
      draggable={mayLink}
      onDragStart={(event: DragEvent) => event.dataTransfer.setData(dragType, String(index))}
      onDragOver={(event: DragEvent) => event.dataTransfer.types.includes(dragType) && event.preventDefault()}
      onDrop={(event: DragEvent) => {
        const from = event.dataTransfer.getData(dragType)
        if (from !== '') onDropPicture(Number(from))
      }}
    >
      <Thumbnail picture={known} size={170} label={name} />
      <Group justify="space-between" wrap="nowrap" mt={6} gap={4}>
        <Anchor
          size="sm"
          truncate
          renderRoot={(props) => <Link to="/assets/$tid" params={{ tid: picture.tid }} {...props} />}
        >
          {name}
        </Anchor>
        {mayLink && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`${word('actions')}: ${name}`}>
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconStar size={14} />} disabled={index === 0} onClick={() => onMove(0)}>
                {t('makeMain')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowLeft size={14} />}
                disabled={index === 0}
                onClick={() => onMove(index - 1)}
              >
                {t('moveForward')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowRight size={14} />}
                disabled={index === count - 1}
                onClick={() => onMove(index + 1)}
              >
                {t('moveBack')}
              </Menu.Item>
              <Menu.Item color="red" leftSection={<IconLinkOff size={14} />} onClick={() => onRemove(name)}>
                {t('unlink', { name })}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <Stack gap={4} mt={4} align="flex-start">
        {index === 0 && (
          <Badge size="sm" variant="light" tt="none">
            {t('mainPicture')}
          </Badge>
        )}
        <Role
          key={picture.linkType}
          role={picture.linkType}
          label={t('roleOf', { name })}
          mayLink={mayLink}
          onRole={onRole}
        />
      </Stack>
    </Card>
  )
}

interface RoleProps {
  readonly role: string
  readonly label: string
  readonly mayLink: boolean
  readonly onRole: (role: string) => void
}

/** Saved when the field is left, because a role may be any text. */
function Role({ role, label, mayLink, onRole }: RoleProps) {
  const t = useTexts(texts)
  const { names, nameOf, roleOf } = usePictureRoles()
  const [text, setText] = useState(() => nameOf(role))
  if (!mayLink) return role ? <Badge variant="light">{nameOf(role)}</Badge> : null
  return (
    <Autocomplete
      size="xs"
      w="100%"
      aria-label={label}
      placeholder={t('rolePlaceholder')}
      data={names}
      value={text}
      onChange={setText}
      onOptionSubmit={(name) => onRole(roleOf(name))}
      onBlur={() => roleOf(text.trim()) !== role && text !== nameOf(role) && onRole(roleOf(text.trim()))}
    />
  )
}
