-- Events of one object are listed in the order of its changes. The outbox is ordered by transaction (core/outbox/outbox.ts), and
-- a transaction that began earlier may have waited for one that began later to change the same object. So `xid` is no longer
-- the transaction that wrote a row, but the newest one that had ended by then, if that is later. A transaction that the
-- writer waited for had ended. `xid` is never earlier than the writer, so all rows before the oldest running transaction are
-- visible.
-- plpgsql, because a volatile function looks at the transactions of now: a statement may have waited itself.
create function outbox_xid() returns xid8 language plpgsql volatile as $$
begin
  return greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
end $$;

alter table outbox add column writer xid8;
alter table outbox
  alter column xid set default outbox_xid(),
  alter column writer set default pg_current_xact_id();
