/** A searchable list of all API operations; each links to the reference page. */
import { Anchor, Button, Group } from '@mantine/core'
import { IconBook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ObjectList } from '../../object/list.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Method } from './method.tsx'
import { listOperations, type ListedOperation, openApiUrl } from './operations.ts'
import { texts } from './texts.ts'

const newTab = { target: '_blank', rel: 'noreferrer' } as const

export function Reference() {
  const operations = useQuery({ queryKey: ['api', 'operations'], queryFn: listOperations, staleTime: Infinity })
  return <Loaded query={operations}>{(list) => <Operations operations={list} />}</Loaded>
}

function Operations({ operations }: { operations: readonly ListedOperation[] }) {
  const t = useTexts(texts)
  const [{ q = '' }, change] = useUrlState()
  return (
    <ObjectList
      label={t('reference')}
      rows={operations}
      keyOf={({ id }: ListedOperation) => id}
      filter={q}
      onFilter={(text) => change({ q: text })}
      onOpen={({ id }) => void window.open(`/api/docs#${id}`, '_blank', 'noreferrer')}
      tools={
        <Group gap="sm">
          <Anchor size="sm" href={openApiUrl} {...newTab}>
            {t('document')}
          </Anchor>
          <Anchor size="sm" href="/api/core/v1/schema/pim.xsd" {...newTab}>
            {t('schema')}
          </Anchor>
          <Button component="a" href="/api/docs" {...newTab} variant="default" leftSection={<IconBook size={16} />}>
            {t('whole')}
          </Button>
        </Group>
      }
      columns={[
        {
          id: 'method',
          title: t('method'),
          width: '6rem',
          text: ({ method }) => method,
          show: ({ method }) => <Method name={method} />,
        },
        {
          id: 'path',
          title: t('path'),
          width: 'minmax(16rem, 2fr)',
          text: ({ path }) => path,
          show: ({ id, path }) => (
            <Anchor size="sm" ff="monospace" href={`/api/docs#${id}`} {...newTab} tabIndex={-1}>
              {path}
            </Anchor>
          ),
        },
        { id: 'doc', title: t('does'), width: 'minmax(14rem, 3fr)', text: ({ doc }) => doc },
        { id: 'area', title: t('area'), width: '7rem', text: ({ area }) => area },
      ]}
    />
  )
}
