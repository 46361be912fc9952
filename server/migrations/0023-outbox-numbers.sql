-- Who is told of rows in the outbox is told the last of their numbers too: the process that wrote them knows them already,
-- and need not read them again.
drop trigger outbox_notify on outbox;
create or replace function notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', coalesce((select max(seq) from added)::text, ''));
  return null;
end $$;
create trigger outbox_notify after insert on outbox
  referencing new table as added for each statement execute function notify_outbox();
