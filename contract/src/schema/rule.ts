/** Rules: operations on all objects that match a condition, by hand, on change or by a schedule. A Kontor extension, JSON only. */
import { Change, changeKinds, ChangeOperation } from './change.ts'
import { child, children, expects, leaf, leaves, required, type } from './describe.ts'
import { FeedSchedule } from './feed.ts'
import { Query } from './search.ts'

export const ruleOperations = ['set', 'clear', 'append', 'remove', 'replace', 'copy', 'concatenate', 'calculate', 'move', 'link', 'unlink'] as const // prettier-ignore

export const Rule = type(
  'rule',
  'Operations on all products or assets that match a condition. It runs with the present rights of its owner.',
  {
    name: leaf('string'),
    description: leaf('string'),
    kind: leaf(changeKinds, 'Default product.'),
    condition: child(
      () => Query,
      'Conditions on fields (FIELD, COMBINED) of the index PRODUCT or ASSET. Articles and variations do not match. Default: every object.',
    ),
    operations: required(
      expects(
        children(
          () => ChangeOperation,
          'They run in their order, and a repetition must change nothing: append only adds to lists, and findReplace is not possible.',
        ),
        1,
        100,
      ),
    ),
    enabled: leaf('boolean', 'Whether it runs by itself. Default true.'),
    onChange: leaf(
      'boolean',
      'Runs within a minute on objects of which something changed that the rule reads. Default false.',
    ),
    schedule: child(() => FeedSchedule, 'Default: none.'),
    owner: leaf('string', 'In replies: the user with whose rights it runs.'),
    reads: leaves(
      'string',
      'In replies: the attributes that the rule reads, with @locale where it reads one locale, and /node or /project for categories and channels.',
    ),
    writes: leaves('string', 'In replies: the same for what it changes.'),
    after: leaves('string', 'In replies: rules that change what this rule reads. It waits for their runs.'),
    problem: leaf('string', 'In replies: why it was switched off.'),
    nextRunAt: leaf('date', 'In replies.'),
    lastRun: child(() => Change, 'In replies: the last run. Its objects and undo are at /api/v1/changes.'),
    modifiedAt: leaf('date', 'In replies.'),
    modifiedBy: leaf('string', 'In replies.'),
  },
)
export const RuleList = type('ruleList', 'Rules by name.', { rules: children(() => Rule) })
