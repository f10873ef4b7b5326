-- `message_address` gets the `type` of the message, and its key carries it: messages of some types are found in the index of the account
-- alone, without a look at each message.

alter table message_address add column type smallint;
update message_address l set type = m.type from message m where m.height = (l.message_id >> 24)::integer and m.id = l.message_id;
alter table message_address alter column type set not null;
alter table message_address drop constraint message_address_pkey;
alter table message_address add primary key (address_id, message_id, role) include (type); -- GET /v1/address/:hash/messages?msg_type=…
