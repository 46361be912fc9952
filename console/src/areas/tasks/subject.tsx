/** The objects of a task, large. Of several objects, one is shown and the others can be chosen. */
import { Anchor, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { kindOf, type Linked, type LinkedKind, type Named, pageOf } from '../../object/linked/linked.ts'
import { texts as linkedTexts } from '../../object/linked/texts.ts'
import { Thumbnail, usePictures } from '../../object/pictures.tsx'
import { retrieveAssets } from '../../object/viewer/asset.ts'
import { Enlarged } from '../../object/viewer/enlarged.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { ChannelText } from './channel-text.tsx'
import { ProductSubject } from './product-subject.tsx'
import type { Task } from './tasks.ts'
import { texts } from './texts.ts'
import classes from './tasks.module.css'

const mostOffered = 50

export function Subject({ task, nameOf }: { task: Task; nameOf: Named }) {
  const t = useTexts(texts)
  const objects = task.linkedObjects ?? []
  const offered = objects.slice(0, mostOffered)
  const [chosen, setChosen] = useState(0)
  const pictures = usePictures([offered.flatMap((one) => nameOf(one)?.picture ?? [])])
  const current = offered[chosen]
  return (
    <section className={classes.subject} aria-label={t('about')}>
      {offered.length > 1 && (
        <div className={classes.strip}>
          {offered.map((one, i) => {
            const named = nameOf(one)
            return (
              <button
                key={`${one.type} ${one.tid}`}
                type="button"
                className={classes.choice}
                aria-pressed={i === chosen}
                onClick={() => setChosen(i)}
              >
                {named?.picture && <Thumbnail picture={pictures.get(named.picture)} size={32} />}
                <Text span size="sm" truncate>
                  {named?.label ?? one.tid}
                </Text>
              </button>
            )
          })}
          {objects.length > offered.length && (
            <Text size="sm" c="dimmed" m="auto" style={{ whiteSpace: 'nowrap' }}>
              {t('moreObjects', { count: objects.length - offered.length })}
            </Text>
          )}
        </div>
      )}
      {current ? (
        <OneSubject
          key={`${current.type} ${current.tid}`}
          object={current}
          name={nameOf(current)?.label ?? ''}
          task={task}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('noSubject')}
        </Text>
      )}
    </section>
  )
}

function OneSubject({ object, name, task }: { object: Linked; name: string; task: Task }) {
  const kind = kindOf(object)
  const { tid = '' } = object
  if (kind === 'product') return <ProductSubject tid={tid} task={task} />
  return (
    <>
      <Heading kind={kind} tid={tid} name={name} />
      {kind === 'file' && <FileSubject tid={tid} />}
      {kind === 'peo' && <ChannelText tid={tid} task={task} />}
    </>
  )
}

function Heading({ kind, tid, name }: { kind: LinkedKind | undefined; tid: string; name: string }) {
  const t = useTexts(linkedTexts)
  const page = pageOf(kind, tid)
  return (
    <div>
      {kind && (
        <Text size="xs" c="dimmed">
          {t(kind)}
        </Text>
      )}
      <Title order={2}>
        {page ? (
          <Anchor inherit renderRoot={(props) => <Link {...page} {...props} />}>
            {name}
          </Anchor>
        ) : (
          name
        )}
      </Title>
    </div>
  )
}

function FileSubject({ tid }: { tid: string }) {
  const client = useClient()
  const t = useTexts(texts)
  const asset = useQuery({
    queryKey: ['assets', 'one', tid],
    queryFn: async () => (await retrieveAssets(client, [tid]))[0] ?? null,
  })
  return (
    <Loaded query={asset}>
      {(found) =>
        found ? (
          <div className={classes.stage}>
            <Enlarged asset={found} />
          </div>
        ) : (
          <Text size="sm">{t('gone')}</Text>
        )
      }
    </Loaded>
  )
}
