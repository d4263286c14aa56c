
  `PROPERTY(answered_in_latency, 1'b1, m_pick_valid == x_valid[LATENCY])
  `PROPERTY(tag_is_its_own, m_pick_valid, m_pick_tag == x_tag[LATENCY*TAG_W -: TAG_W])
  `PROPERTY(never_an_invalid_path, m_pick_valid && !m_pick_none, 32'(m_pick_index) < PATHS && usable[m_pick_index])
  `PROPERTY(saturated_only_if_all, m_pick_valid && alive != '0, alive[m_pick_index] && !m_pick_none && !m_pick_saturated)
  `PROPERTY(lowest_if_all_saturated, m_pick_valid && alive == '0 && usable != '0, m_pick_saturated && !m_pick_none && m_pick_index == first)
  `PROPERTY(none_if_none, m_pick_valid && usable == '0, m_pick_none && !m_pick_saturated)
