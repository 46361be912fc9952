-- Terms of glossaries that are enforced are part of the model, as forbidden words are: writers of products hold it, so they
-- know every term that is enforced at their commit. Entries of other glossaries do not change the model.
create or replace function words_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'glossary_entry' then
    if not exists (select from changed where has_forbidden(forbidden, translations)) then
      -- The enforcement cannot change until the commit, which a writer of the glossary then waits for.
      perform from glossary where id in (select glossary_id from changed where type = 'term' and translations <> '{}') for share;
      -- without a glossary: it was deleted with its entries
      if not exists (
        select from changed c left join glossary g on g.id = c.glossary_id
        where c.type = 'term' and c.translations <> '{}' and g.enforcement is distinct from 'off'
      ) then return null; end if;
    end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('pim_model'));
  update pim_model set version = version + 1, words_version = version + 1, xid = pg_current_xact_id();
  return null;
end $$;

-- Terms are those of the language from which texts are translated.
create trigger locale_words after insert or update of source, content or delete on locale
  for each statement execute function words_change();
